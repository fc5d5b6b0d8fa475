# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_dex_dir_global_optspecs
    string join \n dir= h/help V/version
end

function __fish_dex_dir_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_dex_dir_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_dex_dir_using_subcommand
    set -l cmd (__fish_dex_dir_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c dex-dir -n "__fish_dex_dir_needs_command" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_needs_command" -s h -l help -d 'Print help'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -s V -l version -d 'Print version'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "start" -d 'Make the directory and its manifest; run again, it changes nothing'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "upsert" -d 'Save one profile, new or not, and print it as it is stored; or save many from a file'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "get" -d 'Look profiles up by address and print each as it is stored, one line of JSON'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "partition" -d 'Say where addresses live, whether or not there are such profiles'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "edit" -d 'Change a partition by hand: in an editor, or through a command'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "verify" -d 'Check every file, and print a line for each finding and a count'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "stats" -d 'Say how many profiles and bytes there are, and how they spread over the partitions'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "serve" -d 'Serve the HTTP API until SIGTERM or SIGINT'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "completions" -d 'Print the completion script of a shell'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "man" -d 'Print a manual page'
complete -c dex-dir -n "__fish_dex_dir_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand start" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand start" -s h -l help -d 'Print help'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l email -d 'The customer\'s address; case and surrounding white space don\'t matter' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l full-name -d 'The customer\'s name' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l company-name -d 'The company\'s name' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l customer-tier -d 'The tier: any text' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l from -d 'Save all profiles in this file (-: standard input): JSON Lines, JSON, or CSV with a header' -r -F
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l format -d 'The format, if its beginning doesn\'t tell' -r -f -a "jsonl\t''
json\t''
csv\t''"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l rejects -d 'Collect the records that were not saved in this new file, for another try; what was not read any more when the import was stopped, and a line over 16 MiB, isn\'t among them' -r -F
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l batch-bytes -d 'How much is gathered in memory before it is saved' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l wait -d 'On a lock conflict, try again for so long, such as 500ms or 5s' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l dry-run -d 'Change nothing, and say what would be changed'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l quiet -d 'Show no progress and print no summary'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -l json -d 'Print the summary as JSON'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand upsert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand get" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand get" -l email -d 'The customer\'s address; give it again for more customers, answered in the order asked' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand get" -l from -d 'Look up all addresses in this file (-: standard input), one a line' -r -F
complete -c dex-dir -n "__fish_dex_dir_using_subcommand get" -l field -d 'Print one field\'s bare text instead of the whole profile' -r -f -a "email-address\t''
full-name\t''
company-name\t''
customer-tier\t''"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand get" -s h -l help -d 'Print help'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand partition" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand partition" -l email -d 'The customer\'s address; give it again for more' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand partition" -l json -d 'Print one JSON object a line instead'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand partition" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand edit" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand edit" -l email -d 'The partition in which this address lives, whether or not there is such a profile' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand edit" -l partition -d 'The partition with this number, this name, or this file' -r -F
complete -c dex-dir -n "__fish_dex_dir_using_subcommand edit" -l through -d 'Send the text through this shell command instead; with --email, `DEX_DIR_EMAIL` is the canonical address' -r -f -a "(__fish_complete_command)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand edit" -l wait -d 'On a lock conflict, try again for so long, such as 500ms or 5s' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand verify" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand verify" -l json -d 'Print one JSON object a line instead, the last one the counts'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand stats" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand stats" -l json -d 'Print one JSON object instead, with the figures of each partition'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand stats" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l listen -d 'Where to listen: IP:PORT or localhost:PORT; port 0 picks a free one' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l allow-host -d 'Also answer requests for this host, with or without a port; give it again for more' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l token-file -d 'Answer only who sends one of the tokens in this file, one a line, as `Authorization: Bearer`' -r -F
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l cors-origin -d 'Let web pages of this origin use the API, such as https://shop.example; give it again for more, or * for all' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l log-format -d 'How the log is laid out' -r -f -a "text\t'For people'
json\t'For programs: one object a line'"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l log-level -d 'What the log tells' -r -f -a "off\t'Nothing'
error\t'Failures that the operator should see to'
warn\t'And what is unusual'
info\t'And every request'
debug\t'And what the libraries tell'
trace\t'And more of that'"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l max-wait -d 'How long a request can ask to be tried again on a lock conflict, at most' -r
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l allow-anonymous -d 'Listen where other machines can reach it, and let everybody there read and write'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -l read-only -d 'Change nothing: look up only'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand completions" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand completions" -s h -l help -d 'Print help'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand man" -l dir -d 'The directory that holds the profiles' -r -f -a "(__fish_complete_directories)"
complete -c dex-dir -n "__fish_dex_dir_using_subcommand man" -s h -l help -d 'Print help'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "start" -d 'Make the directory and its manifest; run again, it changes nothing'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "upsert" -d 'Save one profile, new or not, and print it as it is stored; or save many from a file'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "get" -d 'Look profiles up by address and print each as it is stored, one line of JSON'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "partition" -d 'Say where addresses live, whether or not there are such profiles'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "edit" -d 'Change a partition by hand: in an editor, or through a command'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "verify" -d 'Check every file, and print a line for each finding and a count'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "stats" -d 'Say how many profiles and bytes there are, and how they spread over the partitions'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "serve" -d 'Serve the HTTP API until SIGTERM or SIGINT'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "completions" -d 'Print the completion script of a shell'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "man" -d 'Print a manual page'
complete -c dex-dir -n "__fish_dex_dir_using_subcommand help; and not __fish_seen_subcommand_from start upsert get partition edit verify stats serve completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
