-- One script for every load. Arguments: how much of it saves (0 to 100, in percent), `timed` if
-- lookups are timed one by one (then each thread must have one connection), and a file of customers:
-- a line each, address (percent-encoded), a tab, and the profile with "@@" for its company's name.
local ffi = require("ffi")
ffi.cdef [[
typedef struct { long seconds, nanoseconds; } moment;
int clock_gettime(int clock, moment *now);
]]

local route = "/patterns/hash-partitioned-attribute-map/customer-profile"
local threads = {}

function setup(thread)
    thread:set("number", #threads)
    table.insert(threads, thread)
end

local now = ffi.new("moment")
local function microseconds()
    ffi.C.clock_gettime(1, now)
    return tonumber(now.seconds) * 1e6 + tonumber(now.nanoseconds) / 1e3
end

function init(arguments)
    percent, timed = tonumber(arguments[1]), arguments[2] == "timed"
    saved, conflicts, saves, lookups = 0, 0, 0, {}
    math.randomseed(os.time() + number)
    gets, profiles = {}, {}
    for line in io.lines(arguments[3]) do
        local address, profile = line:match("^(.-)\t(.*)$")
        table.insert(gets, wrk.format("GET", route .. "?emailAddress=" .. address))
        table.insert(profiles, profile)
    end
    -- Without a need for it, wrk shouldn't call back for every answer.
    if percent > 0 or timed then response = count end
end

function request()
    local customer = math.random(#gets)
    saving = math.random(100) <= percent
    if timed then begun = microseconds() end
    if not saving then return gets[customer] end
    saves = saves + 1
    local name = "Company " .. number .. "-" .. saves
    local headers = { ["Content-Type"] = "application/json" }
    return wrk.format("PUT", route, headers, (profiles[customer]:gsub("@@", name, 1)))
end

function count(status)
    if timed and not saving then table.insert(lookups, microseconds() - begun) end
    if status == 200 then saved = saved + 1 elseif status == 409 then conflicts = conflicts + 1 end
end

-- One line: requests, other than 200 and 409, conflicts, seconds, and microseconds at the median and
-- at 99 % (of lookups alone, if they were timed).
function done(summary, latency)
    local all, conflicted, p50, p99 = {}, 0, latency:percentile(50), latency:percentile(99)
    for _, thread in ipairs(threads) do
        conflicted = conflicted + thread:get("conflicts")
        for _, time in ipairs(thread:get("lookups")) do table.insert(all, time) end
    end
    if #all > 0 then
        table.sort(all)
        p50, p99 = all[math.ceil(#all * 0.5)], all[math.ceil(#all * 0.99)]
    end
    local errors = summary.errors
    local failed = errors.status - conflicted + errors.connect + errors.read + errors.write + errors.timeout
    io.write(string.format("wrk-result %d %d %d %f %f %f\n",
        summary.requests, failed, conflicted, summary.duration / 1e6, p50, p99))
end
