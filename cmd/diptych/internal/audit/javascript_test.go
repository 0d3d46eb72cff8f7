package audit

import "testing"

// The verdicts are those of new RegExp(pattern, "u") in Node 20.
func TestNotJavaScript(t *testing.T) {
	for pattern, good := range map[string]bool{
		`^[a-z]+$`: true, `^\d{4}-\d{2}$`: true, `^(?:a|b)*?$`: true, `^(?!x)(?<y>z)\k<y>`: true, `[\w.-]+`: true, `[\-a]`: true,
		`\p{L}+`: true, `a{2,}?`: true, `^\/x\.$`: true, `[[]`: true, `(?<=a)b`: true, `[^\]]`: true, ``: true, `[\b]`: true, `é+`: true,
		`^a\-b$`: false, `^a\@b$`: false, `(?i)x`: false, `(?P<n>x)`: false, `\Ax\z`: false, `[[:alpha:]]`: false, `^{a}$`: false,
		`^[\w-.]+$`: false, `a++`: false, `*a`: false, `[a`: false, `a\`: false, `\_`: false, `\Qa\E`: false, `a{,3}`: false, `a}`: false,
	} {
		if why := notJavaScript(pattern); (why == "") != good {
			t.Errorf("%s: %q, want good %v", pattern, why, good)
		}
	}
}
