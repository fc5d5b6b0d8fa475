// The page of a customer directory: it knows the API and keeps nothing but the token, for the tab.
"use strict";

const PATTERN = "patterns/hash-partitioned-attribute-map/";
const FIELDS = ["fullName", "companyName", "customerTier"];
const COUNT = 1000;
const COLUMNS = 40;
const TRIES = 10;

const $ = (id) => document.getElementById(id);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What was looked up last: the address, and the version that was shown, if there is one. */
let shown = null;
let selected = null;

// --- the address -----------------------------------------------------------------------------

/** The canonical e-mail that a text means, or why it means none. */
function canonical(text) {
  if (/[^\x00-\x7f]/.test(text)) return { error: "an address has only ASCII characters" };
  const email = text
    .replace(/^[\x09-\x0d ]+|[\x09-\x0d ]+$/g, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return email ? { email } : { error: "" };
}

/** The number of the partition that holds an address: 32-bit FNV-1a, modulo the count. */
function partitionOf(email) {
  let hash = 2166136261;
  for (let i = 0; i < email.length; i++) {
    hash = Math.imul(hash ^ email.charCodeAt(i), 16777619) >>> 0;
  }
  return hash % COUNT;
}

const nameOf = (number) => `partition-${String(number).padStart(3, "0")}`;

// --- the API ---------------------------------------------------------------------------------

/** Sends a request, and asks for a token where one is wanted. */
async function send(path, options = {}) {
  for (;;) {
    const token = sessionStorage.getItem("token");
    const headers = { ...options.headers };
    if (token) headers.Authorization = `Bearer ${token}`;
    const answer = await fetch(path, { ...options, headers, cache: "no-store" });
    if (answer.status !== 401) return answer;
    sessionStorage.removeItem("token");
    if (!(await askForToken(token !== null))) return answer;
  }
}

let asking = null;

/** Asks once, however many requests want to know. */
function askForToken(wasWrong) {
  asking ??= new Promise((resolve) => {
    const dialog = $("sign-in");
    $("sign-in-title").textContent = wasWrong
      ? "That token isn't valid"
      : "This server asks for a token";
    $("token").value = "";
    dialog.onclose = () => {
      asking = null;
      const token = $("token").value.trim();
      if (token) sessionStorage.setItem("token", token);
      resolve(Boolean(token));
    };
    dialog.showModal();
  });
  return asking;
}

const lookUpPath = (email) => `${PATTERN}customer-profile?emailAddress=${encodeURIComponent(email)}`;

/** Why a request failed, in the server's words. */
async function reason(answer) {
  try {
    return (await answer.json()).error;
  } catch {
    return `the server answered ${answer.status}`;
  }
}

// --- what is shown ---------------------------------------------------------------------------

function say(text, isFailure = false) {
  $("status").textContent = text;
  $("status").classList.toggle("failure", isFailure);
}

function list(target, profile, other) {
  target.replaceChildren(
    ...Object.entries(profile).flatMap(([name, value]) => {
      const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      detail.textContent = typeof value === "string" ? value : JSON.stringify(value);
      if (other && other[name] !== value) detail.className = "differs";
      return [term, detail];
    }),
  );
}

function show(email, profile, version) {
  shown = { email, version };
  $("conflict").hidden = true;
  $("profile").hidden = false;
  $("profile-title").textContent = profile ? email : `New: ${email}`;
  for (const field of FIELDS) $(field).value = profile?.[field] ?? "";
  const others = Object.entries(profile ?? {}).filter(
    ([name]) => name !== "emailAddress" && !FIELDS.includes(name),
  );
  $("others").hidden = others.length === 0;
  list($("others").querySelector("dl"), Object.fromEntries(others));
}

function place() {
  const { email, error } = canonical($("address").value);
  const where = email ? `${email} is in ${nameOf(partitionOf(email))}` : error;
  $("place").textContent = where || "\u00a0";
  return email;
}

// --- what is done ----------------------------------------------------------------------------

async function lookUp(event) {
  event.preventDefault();
  const email = place();
  if (!email) return say(canonical($("address").value).error || "give an address", true);
  mark(partitionOf(email));
  const answer = await send(lookUpPath(email));
  if (answer.ok) {
    show(email, await answer.json(), answer.headers.get("ETag"));
    say("Found.");
  } else if (answer.status === 404) {
    const { code, error } = await answer.json();
    if (code === "FlowNotFound") return fail(error);
    show(email, null, null);
    say("There is no such profile. Fill it in and save it to make one.");
  } else {
    return fail(await reason(answer));
  }
  $("profile-title").focus();
}

function fail(text) {
  $("profile").hidden = true;
  $("conflict").hidden = true;
  say(text, true);
}

/** The profile as it is filled in. */
function filledIn() {
  const fields = FIELDS.map((field) => [field, $(field).value]);
  return Object.fromEntries([["emailAddress", shown.email], ...fields]);
}

async function save(event) {
  event.preventDefault();
  const button = event.submitter;
  button.disabled = true;
  try {
    await put(filledIn(), shown.version);
  } finally {
    button.disabled = false;
  }
}

/** Saves over the version that was shown, and tries again while another writer is at work. */
async function put(profile, version) {
  const condition = version ? { "If-Match": version } : { "If-None-Match": "*" };
  for (let tries = 1; ; tries++) {
    const answer = await send(`${PATTERN}customer-profile`, {
      method: "PUT",
      headers: { "Content-Type": "application/json", ...condition },
      body: JSON.stringify(profile),
    });
    if (answer.status === 409 && tries < TRIES) {
      const name = nameOf(partitionOf(profile.emailAddress));
      say(`Another writer holds ${name}: trying again (${tries}) …`);
      await pause(1000 * Number(answer.headers.get("Retry-After") ?? 1));
      continue;
    }
    if (answer.status === 412) return compare(profile);
    if (!answer.ok) return say(await reason(answer), true);
    show(profile.emailAddress, await answer.json(), answer.headers.get("ETag"));
    say("Saved.");
    return picture();
  }
}

/** Puts both versions side by side. */
async function compare(mine) {
  const answer = await send(lookUpPath(mine.emailAddress));
  if (!answer.ok) return say(await reason(answer), true);
  const [theirs, version] = [await answer.json(), answer.headers.get("ETag")];
  list($("theirs"), theirs);
  list($("mine"), mine, theirs);
  $("profile").hidden = true;
  $("conflict").hidden = false;
  say("Somebody else changed this profile meanwhile. Nothing was saved.", true);
  $("keep-theirs").onclick = () => {
    show(mine.emailAddress, theirs, version);
    say("The stored version stays.");
    $("profile-title").focus();
  };
  $("save-mine").onclick = () => put(mine, version);
  $("conflict-title").focus();
}

// --- the picture -----------------------------------------------------------------------------

const cells = [];

function drawCells() {
  for (let first = 0; first < COUNT; first += COLUMNS) {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    for (let number = first; number < first + COLUMNS; number++) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "gridcell");
      cell.tabIndex = number === 0 ? 0 : -1;
      cell.dataset.number = number;
      cells.push(cell);
      row.append(cell);
    }
    $("partitions").append(row);
  }
}

/** Asks for the sizes and shows them. */
async function picture() {
  const answer = await send("stats");
  if (!answer.ok) {
    $("summary").textContent = await reason(answer);
    return;
  }
  const stats = await answer.json();
  const sizes = Object.values(stats.bytesByPartition);
  const largest = Math.max(1, ...sizes);
  cells.forEach((cell, number) => {
    const bytes = stats.bytesByPartition[nameOf(number)];
    cell.style.setProperty("--fill", bytes === undefined ? 0 : 0.15 + 0.85 * (bytes / largest));
    const size = bytes === undefined ? "not written yet" : `${bytes.toLocaleString("en")} bytes`;
    cell.setAttribute("aria-label", `${nameOf(number)}: ${size}`);
  });
  $("summary").textContent =
    `${stats.bytes.toLocaleString("en")} bytes in ${sizes.length} of ${COUNT} partitions`;
}

function mark(number) {
  selected?.removeAttribute("aria-selected");
  selected = cells[number];
  selected.setAttribute("aria-selected", "true");
  reach(selected);
}

/** Makes a cell the one that the tab key comes to. */
function reach(cell) {
  for (const other of cells) other.tabIndex = other === cell ? 0 : -1;
}

function tell(event) {
  const cell = event.target.closest("[role=gridcell]");
  if (cell) $("cell").textContent = cell.getAttribute("aria-label") ?? "\u00a0";
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

function move(event) {
  const from = Number(event.target.dataset.number);
  const edges = { Home: from - (from % COLUMNS), End: from - (from % COLUMNS) + COLUMNS - 1 };
  const to = edges[event.key] ?? from + (STEPS[event.key] ?? NaN);
  if (!cells[to]) return;
  event.preventDefault();
  reach(cells[to]);
  cells[to].focus();
}

// ---------------------------------------------------------------------------------------------

/** Whatever goes wrong on the way is said, not swallowed. */
const guarded = (work) => async (event) => {
  try {
    await work(event);
  } catch (error) {
    say(`The server can't be reached: ${error.message}`, true);
  }
};

$("address").addEventListener("input", place);
$("look-up").addEventListener("submit", guarded(lookUp));
$("save").addEventListener("submit", guarded(save));
$("partitions").addEventListener("focusin", tell);
$("partitions").addEventListener("pointerover", tell);
$("partitions").addEventListener("keydown", move);
drawCells();
guarded(picture)();
