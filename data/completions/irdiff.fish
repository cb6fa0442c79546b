# Completion of irdiff for fish. irdiff itself provides the candidates (irdiff --complete).

# Sets `words` to those after irdiff up to the cursor, without quotes, and `answer`; nothing in them is
# expanded.
function __irdiff_ask --no-scope-shadowing
    set words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    set -l word (string unescape -- $typed)
    # A quote may still be open.
    or set word (string unescape -- $typed"'")
    or set word (string unescape -- $typed'"')
    set -a words "$word"
    command -q irdiff
    and set answer (command irdiff --complete $words 2>/dev/null)
end

function __irdiff_wants_files
    set -l words
    set -l answer
    __irdiff_ask
    # After a colon fish begins a new path; here it is part of a name.
    not string match -q -- '*:*' $words[-1]
    and string match -q -- \tfiles\t'*' $answer
end

function __irdiff_candidates
    set -l words
    set -l answer
    __irdiff_ask
    for line in $answer
        set -l fields (string split -- \t $line)
        switch $fields[1]/$fields[2]
            case /files
            case /directories
                set -l path (string sub -s (math (string length -- "$fields[3]") + 1) -- "$words[-1]")
                for directory in $path*/
                    echo $fields[3]$directory
                end
            case /command
                set -e words[1..$fields[3]]
                complete -C (string join ' ' -- (string escape -- $words))
            case '*'
                echo $line
        end
    end
end

complete -c irdiff -f -a '(__irdiff_candidates)'
complete -c irdiff -n __irdiff_wants_files -F
