package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
)

// A completionCommand prints a script made from the command line's own grammar, so that it cannot grow stale. The add-ons
// for kong that do this have rested since 2023.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish,servers" help:"bash, zsh or fish."`
}

func (*completionCommand) Help() string {
	return `    source <(diptych completion bash)                                  # in ~/.bashrc
    source <(diptych completion zsh)                                   # in ~/.zshrc, behind compinit
    diptych completion fish > ~/.config/fish/completions/diptych.fish`
}

func (k *completionCommand) Run(c *console) error {
	switch k.Shell {
	case "servers": // called by the scripts: the names that SERVER can be here
		for _, name := range peer.Names() {
			fmt.Fprintln(c.stdout, name)
		}
	case "bash":
		fmt.Fprint(c.stdout, bashScript(c.parser.Model))
	case "zsh":
		fmt.Fprint(c.stdout, zshScript(c.parser.Model))
	case "fish":
		fmt.Fprint(c.stdout, fishScript(c.parser.Model))
	}
	return nil
}

// commands are the visible commands, and flags those of one of them with the global ones.
func commands(app *kong.Application) []*kong.Node {
	var nodes []*kong.Node
	for _, n := range app.Children {
		if !n.Hidden {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func flags(n *kong.Node) []*kong.Flag {
	var all []*kong.Flag
	for _, group := range n.AllFlags(true) {
		all = append(all, group...)
	}
	return all
}

func names(nodes []*kong.Node) string {
	var list []string
	for _, n := range nodes {
		list = append(list, n.Name)
	}
	return strings.Join(list, " ")
}

// values is what a flag or argument can be, where that is a closed set.
func values(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return strings.Split(v.Enum, ",")
}

// takesServer reports whether the first argument of a command is a server.
func takesServer(n *kong.Node) bool { return len(n.Positional) > 0 && n.Positional[0].Name == "server" }

func bashScript(app *kong.Application) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# bash completion for %[1]s
_%[1]s() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words= i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            compopt -o default
            return
        fi
    done
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "%[2]s --help --version" -- "$word"))
        return
    fi
    case $command:$before in
`, app.Name, names(commands(app)))
	for _, n := range commands(app) {
		for _, f := range flags(n) {
			if list := values(f.Value); list != nil {
				fmt.Fprintf(&b, "    %s:--%s) words=\"%s\" ;;\n", n.Name, f.Name, strings.Join(list, " "))
			} else if f.Tag.Type == "path" {
				fmt.Fprintf(&b, "    %s:--%s)\n        compopt -o default\n        return\n        ;;\n", n.Name, f.Name)
			}
		}
	}
	b.WriteString("    esac\n    if [[ -z $words ]]; then\n        case $command in\n")
	for _, n := range commands(app) {
		var list []string
		for _, f := range flags(n) {
			list = append(list, "--"+f.Name)
		}
		for _, p := range n.Positional {
			list = append(list, shown(p)...)
		}
		line := strings.Join(list, " ")
		if takesServer(n) {
			line += " $([[ $COMP_CWORD == 2 ]] && " + app.Name + " completion servers 2>/dev/null)"
		}
		fmt.Fprintf(&b, "        %s) words=\"%s\" ;;\n", n.Name, line)
	}
	fmt.Fprintf(&b, `        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _%[1]s %[1]s
`, app.Name)
	return b.String()
}

// shown is the closed set of an argument, without what only the scripts ask for.
func shown(p *kong.Value) []string {
	var list []string
	for _, v := range values(p) {
		if v != "servers" {
			list = append(list, v)
		}
	}
	return list
}

func zshScript(app *kong.Application) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %[1]s\n# zsh completion for %[1]s\n_%[1]s() {\n    local -a commands\n    commands=(\n", app.Name)
	for _, n := range commands(app) {
		fmt.Fprintf(&b, "        %s\n", single(n.Name+":"+n.Help))
	}
	b.WriteString("    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n")
	for _, n := range commands(app) {
		fmt.Fprintf(&b, "    %s)\n        _arguments -s", n.Name)
		for _, f := range flags(n) {
			option := "--" + f.Name
			if f.IsBool() {
				option += "[" + bracket(f.Help) + "]"
			} else {
				action := ""
				if list := values(f.Value); list != nil {
					action = "(" + strings.Join(list, " ") + ")"
				} else if f.Tag.Type == "path" {
					action = "_files"
				}
				option += "=[" + bracket(f.Help) + "]:" + strings.ToLower(f.Name) + ":" + action
				if f.IsSlice() {
					option = "*" + option
				}
			}
			fmt.Fprintf(&b, " \\\n            %s", single(option))
		}
		for i, p := range n.Positional {
			switch {
			case takesServer(n) && i == 0:
				fmt.Fprintf(&b, " \\\n            %s", single("1:server:($("+app.Name+" completion servers 2>/dev/null))"))
			case shown(p) != nil:
				fmt.Fprintf(&b, " \\\n            %s", single(fmt.Sprintf("%d:%s:(%s)", i+1, p.Name, strings.Join(shown(p), " "))))
			}
		}
		b.WriteString("\n        ;;\n")
	}
	fmt.Fprintf(&b, "    esac\n}\ncompdef _%[1]s %[1]s\n", app.Name)
	return b.String()
}

func fishScript(app *kong.Application) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# fish completion for %[1]s\ncomplete -c %[1]s -f\n", app.Name)
	for _, n := range commands(app) {
		fmt.Fprintf(&b, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", app.Name, n.Name, single(n.Help))
	}
	for _, n := range commands(app) {
		seen := single("__fish_seen_subcommand_from " + n.Name)
		for _, f := range flags(n) {
			fmt.Fprintf(&b, "complete -c %s -n %s -l %s -d %s", app.Name, seen, f.Name, single(f.Help))
			switch list := values(f.Value); {
			case list != nil:
				fmt.Fprintf(&b, " -x -a %s", single(strings.Join(list, " ")))
			case f.Tag.Type == "path":
				b.WriteString(" -r -F")
			case !f.IsBool():
				b.WriteString(" -x")
			}
			b.WriteString("\n")
		}
		for _, p := range n.Positional {
			if list := shown(p); list != nil {
				fmt.Fprintf(&b, "complete -c %s -n %s -a %s\n", app.Name, seen, single(strings.Join(list, " ")))
			}
		}
		if takesServer(n) {
			fmt.Fprintf(&b, "complete -c %s -n %s -a %s\n", app.Name, seen, single("("+app.Name+" completion servers 2>/dev/null)"))
		}
	}
	return b.String()
}

// single quotes a word for a shell.
func single(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// bracket makes a help text fit for zsh's option specifications.
func bracket(s string) string {
	return strings.NewReplacer("[", "(", "]", ")", ":", `\:`, "\n", " ").Replace(s)
}
