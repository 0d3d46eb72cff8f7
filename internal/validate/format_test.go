package validate

import (
	"encoding/json"
	"strings"
	"testing"
)

// formatCases are strings of a format, and strings that miss it narrowly.
var formatCases = map[string]struct{ good, bad []string }{
	"date-time": {
		[]string{"1963-06-19T08:30:06.283185Z", "1963-06-19T08:30:06Z", "1990-12-31T15:59:50.123-08:00", "1998-12-31T23:59:60Z", "1998-12-31T15:59:60.123-08:00", "1963-06-19t08:30:06.283185z", "2024-02-29T00:00:00+00:00"},
		[]string{"1998-12-31T23:59:61Z", "1998-12-31T22:59:60Z", "1990-02-31T15:59:59.123-08:00", "1990-12-31T15:59:59-24:00", "1963-06-19T08:30:06.28123+01:00Z", "06/19/1963 08:30:06 PST", "2013-350T01:01:01", "1963-6-19T08:30:06Z", "1963-06-19T08:30:6Z", "1963-06-19T08:30:06", "1963-06-19 08:30:06Z", "1963-06-19T08:30:06.Z", "1963-06-1৪T00:00:00Z", ""},
	},
	"date": {
		[]string{"1963-06-19", "2020-02-29", "2000-02-29", "0001-01-01"},
		[]string{"2021-02-29", "1900-02-29", "2020-01-32", "2020-00-01", "2020-13-01", "06/19/1963", "2013-350", "1998-1-20", "1963-06-1৪", "20230328", "2023-W01", ""},
	},
	"time": {
		[]string{"08:30:06Z", "08:30:06.283185+05:30", "23:59:60Z", "01:29:60+01:30", "23:29:60+23:30", "15:59:60-08:00"},
		[]string{"8:30:06Z", "24:00:00Z", "00:60:00Z", "00:00:61Z", "22:59:60Z", "01:02:03+24:00", "01:02:03+00:60", "01:02:03Z+00:30", "08:30:06", "01:01:01,1111", "12:00:00.52", "12:00:00 Z", "12-00-00Z"},
	},
	"duration": {
		[]string{"P4DT12H30M5S", "P4Y", "PT0S", "P0D", "P1M", "PT1M", "PT36H", "P1DT12H", "P2W"},
		[]string{"PT1D", "P", "P1YT", "PT", "P2D1Y", "P1D2H", "P2S", "P1Y2W", "P1", "4DT12H30M5S", "P২Y", ""},
	},
	"email": {
		[]string{"joe.bloggs@example.com", "te~st@example.com", "~test@example.com", `"joe bloggs"@example.com`, `"joe\"bloggs"@example.com`, `"joe..bloggs"@example.com`, `"joe@bloggs"@example.com`, "joe.bloggs@[127.0.0.1]", "joe.bloggs@[IPv6:::1]"},
		[]string{"2962", "@example.com", ".test@example.com", "test.@example.com", "te..st@example.com", "joe.bloggs@invalid=domain.com", "joe.bloggs@[127.0.0.300]", "joe@", "jo e@example.com", `"joe"bloggs"@example.com`},
	},
	"hostname": {
		[]string{"www.example.com", "xn--4gbwdl.xn--wgbh1c", "a", "1host", "a-b", "a--b", strings.Repeat("a", 63) + ".com"},
		[]string{"-a-host-name-that-starts-with--", "not_a_valid_host_name", "-hostname", "hostname-", "_hostname", "host_name", "", ".", ".example", "a..b", strings.Repeat("a", 64) + ".com", strings.Repeat("a.", 130)},
	},
	"ipv4": {
		[]string{"192.168.0.1", "0.0.0.0", "255.255.255.255"},
		[]string{"127.0.0.0.1", "256.256.256.256", "127.0", "0x7f000001", "2130706433", "087.10.0.1", "01.2.3.4", "1.2.3.4/24", "1২7.0.0.1", "1..2.3", ""},
	},
	"ipv6": {
		[]string{"::1", "::abef", "::", "1::", "d6::", "1:d6::42", "1::d6:192.168.0.1", "::ffff:192.168.0.1", "1:2:3:4:5:6:7:8", "::42:ff:1"},
		[]string{"12345::", "1:1:1:1:1:1:1:1:1", "::laptop", ":2:3:4:5:6:7:8", "1:2:3:4:5:6:7:", ":2:3:4::8", "1::d6::42", "1::2:192.168.256.1", "1:2:3:4:5:::8", "127.0.0.1", "1:2:3:4", "fe80::a%eth1", "  ::1", "::1/64", ""},
	},
	"uri": {
		[]string{"http://foo.bar/?baz=qux#quux", "http://foo.com/blah_(wikipedia)_blah#cite-1", "http://foo.bar/?q=Test%20URL-encoded%20stuff", "http://223.255.255.254", "ftp://ftp.is.co.za/rfc/rfc1808.txt", "ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com", "tel:+1-816-555-1212", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "http://user:pass@host:8080/", "file:///etc"},
		[]string{"//foo.bar/?baz=qux#quux", "/abc", `\\WINDOWS\fileshare`, "abc", "http:// shouldfail.com", ":// should fail", "bar,baz:foo", "https://[@example.org/test.txt", "http://a/%zz", "http://[::1", "http://[1]/", "http://a:b/", "http://é/", "1http://a", ""},
	},
	"uri-reference": {
		[]string{"http://foo.bar/?baz=qux#quux", "//foo.bar/?baz=qux#quux", "/abc", "abc", "#fragment", "", "?q", "a/b:c", "../a"},
		[]string{`\\WINDOWS\fileshare`, `#frag\ment`, "a b", "1:2", "a%2"},
	},
	"uuid": {
		[]string{"2EB8AA08-AA98-11EA-B4AA-73B441D16380", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "00000000-0000-0000-0000-000000000000"},
		[]string{"2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08-aa98-11ea-73b441d16380", "2eb8aa08-aa98-11ea-b4ga-73b441d16380", "2eb8aa08xaa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08aa98-11ea-b4aa73b441d16380", "{2eb8aa08-aa98-11ea-b4aa-73b441d163}"},
	},
}

// ownMind names strings on which the judge is laxer or stricter than the RFC that this package follows.
var ownMind = map[string]string{
	`"joe\"bloggs"@example.com`: "a quoted pair means its character (RFC 5321)",
	"@example.com":              "a mailbox has a local part (RFC 5321)",
	"http://é/":                 "a URI is ASCII (RFC 3986); others are IRIs",
	"a b":                       "a space is no character of a URI (RFC 3986)",
}

func TestFormats(t *testing.T) {
	for name, cases := range formatCases {
		schema := `{"format":"` + name + `"}`
		c := compiled(t, schema)
		for _, valid := range []bool{true, false} {
			list := cases.bad
			if valid {
				list = cases.good
			}
			for _, s := range list {
				doc, err := json.Marshal(s)
				if err != nil {
					t.Fatal(err)
				}
				if c.Check(doc) != valid || c.accepts(doc) != valid {
					t.Errorf("%s: %q: want %t", name, s, valid)
				}
				judged, err := judge(schema, string(doc))
				if err != nil {
					t.Fatal(err)
				}
				if _, own := ownMind[s]; judged != valid && !own {
					t.Errorf("%s: %q: the judge says %t", name, s, judged)
				}
			}
		}
		if !c.Check([]byte("5")) {
			t.Errorf("%s: applies to numbers", name)
		}
	}
}

func TestBase64(t *testing.T) {
	c := compiled(t, `{"contentEncoding":"base64"}`)
	for s, want := range map[string]bool{
		``: true, `aGk=`: true, `aGkh`: true, `aG8=\r\naGk=`: false, `aGkh\r\naGk=`: true, `aGk`: false, `aG=k`: false, `a===`: false, `=`: false, `a-_b`: false, `aGk=\u000a`: true,
	} {
		if got := c.Check([]byte(`"` + s + `"`)); got != want {
			t.Errorf("%q: got %t", s, got)
		}
	}
}
