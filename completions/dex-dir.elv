
use builtin;
use str;

set edit:completion:arg-completer[dex-dir] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'dex-dir'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'dex-dir'= {
            cand --dir 'The directory that holds the profiles'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand start 'Make the directory and its manifest; run again, it changes nothing'
            cand upsert 'Save one profile, new or not, and print it as it is stored; or save many from a file'
            cand get 'Look profiles up by address and print each as it is stored, one line of JSON'
            cand partition 'Say where addresses live, whether or not there are such profiles'
            cand edit 'Change a partition by hand: in an editor, or through a command'
            cand verify 'Check every file, and print a line for each finding and a count'
            cand stats 'Say how many profiles and bytes there are, and how they spread over the partitions'
            cand serve 'Serve the HTTP API until SIGTERM or SIGINT'
            cand completions 'Print the completion script of a shell'
            cand man 'Print a manual page'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'dex-dir;start'= {
            cand --dir 'The directory that holds the profiles'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dex-dir;upsert'= {
            cand --dir 'The directory that holds the profiles'
            cand --email 'The customer''s address; case and surrounding white space don''t matter'
            cand --full-name 'The customer''s name'
            cand --company-name 'The company''s name'
            cand --customer-tier 'The tier: any text'
            cand --from 'Save all profiles in this file (-: standard input): JSON Lines, JSON, or CSV with a header'
            cand --format 'The format, if its beginning doesn''t tell'
            cand --rejects 'Collect the records that were not saved in this new file, for another try; what was not read any more when the import was stopped, and a line over 16 MiB, isn''t among them'
            cand --batch-bytes 'How much is gathered in memory before it is saved'
            cand --wait 'On a lock conflict, try again for so long, such as 500ms or 5s'
            cand --dry-run 'Change nothing, and say what would be changed'
            cand --quiet 'Show no progress and print no summary'
            cand --json 'Print the summary as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dex-dir;get'= {
            cand --dir 'The directory that holds the profiles'
            cand --email 'The customer''s address; give it again for more customers, answered in the order asked'
            cand --from 'Look up all addresses in this file (-: standard input), one a line'
            cand --field 'Print one field''s bare text instead of the whole profile'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dex-dir;partition'= {
            cand --dir 'The directory that holds the profiles'
            cand --email 'The customer''s address; give it again for more'
            cand --json 'Print one JSON object a line instead'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dex-dir;edit'= {
            cand --dir 'The directory that holds the profiles'
            cand --email 'The partition in which this address lives, whether or not there is such a profile'
            cand --partition 'The partition with this number, this name, or this file'
            cand --through 'Send the text through this shell command instead; with --email, `DEX_DIR_EMAIL` is the canonical address'
            cand --wait 'On a lock conflict, try again for so long, such as 500ms or 5s'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dex-dir;verify'= {
            cand --dir 'The directory that holds the profiles'
            cand --json 'Print one JSON object a line instead, the last one the counts'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dex-dir;stats'= {
            cand --dir 'The directory that holds the profiles'
            cand --json 'Print one JSON object instead, with the figures of each partition'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dex-dir;serve'= {
            cand --dir 'The directory that holds the profiles'
            cand --listen 'Where to listen: IP:PORT or localhost:PORT; port 0 picks a free one'
            cand --allow-host 'Also answer requests for this host, with or without a port; give it again for more'
            cand --token-file 'Answer only who sends one of the tokens in this file, one a line, as `Authorization: Bearer`'
            cand --cors-origin 'Let web pages of this origin use the API, such as https://shop.example; give it again for more, or * for all'
            cand --log-format 'How the log is laid out'
            cand --log-level 'What the log tells'
            cand --max-wait 'How long a request can ask to be tried again on a lock conflict, at most'
            cand --allow-anonymous 'Listen where other machines can reach it, and let everybody there read and write'
            cand --read-only 'Change nothing: look up only'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dex-dir;completions'= {
            cand --dir 'The directory that holds the profiles'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dex-dir;man'= {
            cand --dir 'The directory that holds the profiles'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dex-dir;help'= {
            cand start 'Make the directory and its manifest; run again, it changes nothing'
            cand upsert 'Save one profile, new or not, and print it as it is stored; or save many from a file'
            cand get 'Look profiles up by address and print each as it is stored, one line of JSON'
            cand partition 'Say where addresses live, whether or not there are such profiles'
            cand edit 'Change a partition by hand: in an editor, or through a command'
            cand verify 'Check every file, and print a line for each finding and a count'
            cand stats 'Say how many profiles and bytes there are, and how they spread over the partitions'
            cand serve 'Serve the HTTP API until SIGTERM or SIGINT'
            cand completions 'Print the completion script of a shell'
            cand man 'Print a manual page'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'dex-dir;help;start'= {
        }
        &'dex-dir;help;upsert'= {
        }
        &'dex-dir;help;get'= {
        }
        &'dex-dir;help;partition'= {
        }
        &'dex-dir;help;edit'= {
        }
        &'dex-dir;help;verify'= {
        }
        &'dex-dir;help;stats'= {
        }
        &'dex-dir;help;serve'= {
        }
        &'dex-dir;help;completions'= {
        }
        &'dex-dir;help;man'= {
        }
        &'dex-dir;help;help'= {
        }
    ]
    $completions[$command]
}
