import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderMarkdown } from './markdown.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](//evil.example)',
  '![x](https://evil.example/track.png)',
  '<a href="javascript:alert(1)">x</a>',
  '[x](https://a.example "\\" onclick=alert(1)")',
  '<iframe src="https://evil.example"></iframe>',
]

function assertHarmless(source: string): void {
  const { html } = renderMarkdown(source)
  assert.doesNotMatch(html.text, /<(?:script|img|iframe|style|svg)/i, source)
  assert.doesNotMatch(html.text, /<[^>]*\s(?:on\w+|style|src)\s*=/i, source)
  assert.doesNotMatch(html.text, /<[^>]*href="(?:javascript|data|vbscript|\/\/)/i, source)
}

for (const source of HOSTILE) {
  test(`a text cannot contain its own markup: ${source}`, () => assertHarmless(source))
}

test('no combination of Markdown and HTML yields scripts, images or event handlers', () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE, '# ', '\n\n', '| a | b |\n|--|--|\n'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (parts) => assertHarmless(parts.join(''))),
    { numRuns: 200 },
  )
})

const LONGEST = 60_000
const SLOW = {
  headings: '# a\n',
  'underlined headings': 'a\n=\n',
  'open brackets': '![',
  emphasis: 'a**b_c',
  backticks: '`a``',
  'links in emphasis': '*[a](b)',
  'rows of a table': '|a|\n|-|\n',
  'columns of a table': '|-',
  quotations: '> ',
  'items of a list': '- a\n',
  references: '[a]: b "\n',
  entities: '&a<a:',
  addresses: 'http://a.b/(a@b.c ',
} as const

for (const [what, piece] of Object.entries(SLOW)) {
  test(`the longest text of ${what} is rendered within four seconds`, () => {
    const before = process.threadCpuUsage()
    renderMarkdown(piece.repeat(LONGEST / piece.length))
    assert.ok(process.threadCpuUsage(before).user < 4_000_000)
  })
}

const ELSEWHERE = [
  ...['&#106;avascript:alert(1)', 'jAvAsCrIpT&colon;alert(1)', 'java&Tab;script:alert(1)'],
  ...['vbscript:a', 'data&colon;text/html,a', 'blob:https://a.b/c'],
  ...[
    '&sol;&sol;evil.example',
    '&#x2f;&#x5c;evil.example',
    '<//evil.example>',
    '/&Tab;/evil.example',
  ],
  ...['\\\\evil.example', '/\\evil.example', 'file:///etc/passwd', 'ftp://evil.example'],
]

for (const target of ELSEWHERE) {
  test(`a link to ${target} leads nowhere but to a page of the shop`, () => {
    const { text } = renderMarkdown(`[x](${target})\n\n[y][z]\n\n[z]: ${target}`).html
    for (const [, href = ''] of text.matchAll(/href="([^"]*)"/g)) {
      assert.equal(new URL(href, 'https://shop.example').origin, 'https://shop.example', href)
    }
  })
}

test('headings begin below the heading of the page, skip no level, and make a table of contents', () => {
  const { html, headings } = renderMarkdown('# Price\n\n### VAT\n\n# The *end*\n')
  assert.deepEqual(headings, [
    { id: 'part-1', text: 'Price' },
    { id: 'part-2', text: 'The end' },
  ])
  const tags = [...html.text.matchAll(/<(h\d)/g)].map(([, tag]) => tag)
  assert.deepEqual(tags, ['h2', 'h3', 'h2'])
})

test('lists, tables and links are kept', () => {
  const { html } = renderMarkdown('- one\n\n| a |\n|--|\n| b |\n\n[us](https://example.org)')
  assert.match(html.text, /<li>one<\/li>/)
  assert.match(html.text, /<th scope="col">a<\/th>/)
  assert.match(html.text, /<a href="https:\/\/example.org" rel="noreferrer">us<\/a>/)
})
