
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'dex-dir' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'dex-dir'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'dex-dir' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Make the directory and its manifest; run again, it changes nothing')
            [CompletionResult]::new('upsert', 'upsert', [CompletionResultType]::ParameterValue, 'Save one profile, new or not, and print it as it is stored; or save many from a file')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Look profiles up by address and print each as it is stored, one line of JSON')
            [CompletionResult]::new('partition', 'partition', [CompletionResultType]::ParameterValue, 'Say where addresses live, whether or not there are such profiles')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Change a partition by hand: in an editor, or through a command')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check every file, and print a line for each finding and a count')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Say how many profiles and bytes there are, and how they spread over the partitions')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the HTTP API until SIGTERM or SIGINT')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a manual page')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'dex-dir;start' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dex-dir;upsert' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'The customer''s address; case and surrounding white space don''t matter')
            [CompletionResult]::new('--full-name', '--full-name', [CompletionResultType]::ParameterName, 'The customer''s name')
            [CompletionResult]::new('--company-name', '--company-name', [CompletionResultType]::ParameterName, 'The company''s name')
            [CompletionResult]::new('--customer-tier', '--customer-tier', [CompletionResultType]::ParameterName, 'The tier: any text')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Save all profiles in this file (-: standard input): JSON Lines, JSON, or CSV with a header')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format, if its beginning doesn''t tell')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Collect the records that were not saved in this new file, for another try; what was not read any more when the import was stopped, and a line over 16 MiB, isn''t among them')
            [CompletionResult]::new('--batch-bytes', '--batch-bytes', [CompletionResultType]::ParameterName, 'How much is gathered in memory before it is saved')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'On a lock conflict, try again for so long, such as 500ms or 5s')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Change nothing, and say what would be changed')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show no progress and print no summary')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the summary as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dex-dir;get' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'The customer''s address; give it again for more customers, answered in the order asked')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Look up all addresses in this file (-: standard input), one a line')
            [CompletionResult]::new('--field', '--field', [CompletionResultType]::ParameterName, 'Print one field''s bare text instead of the whole profile')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dex-dir;partition' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'The customer''s address; give it again for more')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object a line instead')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dex-dir;edit' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('--email', '--email', [CompletionResultType]::ParameterName, 'The partition in which this address lives, whether or not there is such a profile')
            [CompletionResult]::new('--partition', '--partition', [CompletionResultType]::ParameterName, 'The partition with this number, this name, or this file')
            [CompletionResult]::new('--through', '--through', [CompletionResultType]::ParameterName, 'Send the text through this shell command instead; with --email, `DEX_DIR_EMAIL` is the canonical address')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'On a lock conflict, try again for so long, such as 500ms or 5s')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dex-dir;verify' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object a line instead, the last one the counts')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dex-dir;stats' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead, with the figures of each partition')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dex-dir;serve' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'Where to listen: IP:PORT or localhost:PORT; port 0 picks a free one')
            [CompletionResult]::new('--allow-host', '--allow-host', [CompletionResultType]::ParameterName, 'Also answer requests for this host, with or without a port; give it again for more')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'Answer only who sends one of the tokens in this file, one a line, as `Authorization: Bearer`')
            [CompletionResult]::new('--cors-origin', '--cors-origin', [CompletionResultType]::ParameterName, 'Let web pages of this origin use the API, such as https://shop.example; give it again for more, or * for all')
            [CompletionResult]::new('--log-format', '--log-format', [CompletionResultType]::ParameterName, 'How the log is laid out')
            [CompletionResult]::new('--log-level', '--log-level', [CompletionResultType]::ParameterName, 'What the log tells')
            [CompletionResult]::new('--max-wait', '--max-wait', [CompletionResultType]::ParameterName, 'How long a request can ask to be tried again on a lock conflict, at most')
            [CompletionResult]::new('--allow-anonymous', '--allow-anonymous', [CompletionResultType]::ParameterName, 'Listen where other machines can reach it, and let everybody there read and write')
            [CompletionResult]::new('--read-only', '--read-only', [CompletionResultType]::ParameterName, 'Change nothing: look up only')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dex-dir;completions' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dex-dir;man' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'The directory that holds the profiles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dex-dir;help' {
            [CompletionResult]::new('start', 'start', [CompletionResultType]::ParameterValue, 'Make the directory and its manifest; run again, it changes nothing')
            [CompletionResult]::new('upsert', 'upsert', [CompletionResultType]::ParameterValue, 'Save one profile, new or not, and print it as it is stored; or save many from a file')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Look profiles up by address and print each as it is stored, one line of JSON')
            [CompletionResult]::new('partition', 'partition', [CompletionResultType]::ParameterValue, 'Say where addresses live, whether or not there are such profiles')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Change a partition by hand: in an editor, or through a command')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check every file, and print a line for each finding and a count')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Say how many profiles and bytes there are, and how they spread over the partitions')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the HTTP API until SIGTERM or SIGINT')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a manual page')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'dex-dir;help;start' {
            break
        }
        'dex-dir;help;upsert' {
            break
        }
        'dex-dir;help;get' {
            break
        }
        'dex-dir;help;partition' {
            break
        }
        'dex-dir;help;edit' {
            break
        }
        'dex-dir;help;verify' {
            break
        }
        'dex-dir;help;stats' {
            break
        }
        'dex-dir;help;serve' {
            break
        }
        'dex-dir;help;completions' {
            break
        }
        'dex-dir;help;man' {
            break
        }
        'dex-dir;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
