import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { main } from '#app/cli.ts'
import { VARIABLES } from '#app/variables.ts'
import { commandBlocks, fencesOf, PAGES, textOfPage } from '#test/command-blocks.ts'
import { contents } from '../docs/.vitepress/contents.ts'

/** The documentation against the code: what it names exists, and what exists is named. */
const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
/** Pages of what was true when they were written. */
const isHistory = (page: string) => page.startsWith('decisions/0')
const CURRENT = PAGES.filter((page) => !isHistory(page))
const OUTSIDE_DOCS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** A generated page is compared with the code, or written anew with UPDATE=1. */
function compare(page: string, text: string): void {
  const file = path.join(ROOT, 'docs', page)
  if (process.env.UPDATE) fs.writeFileSync(file, text)
  else
    assert.equal(
      fs.readFileSync(file, 'utf8'),
      text,
      'Run UPDATE=1 npm test test/documentation.test',
    )
}

function withoutFences(page: string): string {
  return textOfPage(page).replace(/^ *(`{3,}).*\n[\s\S]*?^ *\1$/gm, '')
}

test('every page is in the table of contents, once', () => {
  const listed = contents.flatMap(({ pages }) => pages.map((page) => `${page}.md`))
  assert.deepEqual([...listed].sort(), CURRENT)
})

/** The anchors of a page, as the generator and forges make them of headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...withoutFences(page).matchAll(/^#{1,6} +(.+)$/gm)]
  return new Set(
    headings.map(([, text = '']) =>
      text
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s+/g, '-'),
    ),
  )
}

function deadLinks(page: string): string[] {
  const text = withoutFences(page).replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^https:\/\//.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const linked = file === '' ? page : path.join(path.dirname(page), file)
    if (!PAGES.includes(linked)) return [target]
    const known = anchor === undefined || anchorsOf(linked).has(anchor)
    return known ? [] : [target]
  })
}

for (const page of PAGES) {
  test(`${page} has no dead links`, () => assert.deepEqual(deadLinks(page), []))
}

test('pages of the documentation that the sources name exist', () => {
  const files = fs
    .readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((it) => /\.(?:ts|md)$/.test(it) && !it.endsWith('.test.ts'))
    .map((it) => `src/${it}`)
  const more = ['client/README.md', 'ops/systemd/moorage@.service', ...OUTSIDE_DOCS, 'compose.yaml']
  const missing = [...files, ...more, ...CURRENT.map((it) => `docs/${it}`)].flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/([\w/-]+\.(?:md|json))/g)]
      .filter(([, name = '']) => !fs.existsSync(path.join(ROOT, 'docs', name)))
      .map(([, name]) => `${file}: docs/${name}`),
  )
  assert.deepEqual(missing, [])
})

const blocks = [...PAGES.flatMap(commandBlocks)]

test('the commands that the documents name exist', () => {
  const known = new Map(
    Object.entries(main.subCommands ?? {}).map(([name, command]) => [
      name,
      Object.keys((command as { subCommands?: object }).subCommands ?? {}),
    ]),
  )
  const texts = [...CURRENT.map(textOfPage), ...OUTSIDE_DOCS.map(read)]
  const unknown = texts.flatMap((text) =>
    [...text.matchAll(/\bmoorage ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].flatMap(
      ([whole, words = '']) => {
        const [name = '', sub = ''] = words.split(' ')
        const subs = known.get(name)
        const isCommand = /`[^`\n]*$/.test(text.slice(0, text.indexOf(whole))) || /npx/.test(whole)
        if (!subs) return isCommand ? [whole] : []
        return subs.length > 0 && sub !== '' && !subs.includes(sub) ? [whole] : []
      },
    ),
  )
  assert.deepEqual(unknown, [])
  const scripts = JSON.parse(read('package.json')).scripts
  for (const { text, page, line } of blocks) {
    for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:]+)/g)) {
      assert.ok(script in scripts, `${page}:${line}: npm run ${script}`)
    }
  }
})

test('the table of the configuration has every variable, and no other', () => {
  const named = [...textOfPage('configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
    ([, name]) => name,
  )
  assert.deepEqual(named.sort(), [...VARIABLES].sort())
})

test('variables of ours that the documents name exist', () => {
  const known = new Set<string>(VARIABLES)
  const OTHERS = ['MOORAGE_DOMAIN', 'MOORAGE_URL', 'MOORAGE_TOKEN']
  const unknown = CURRENT.flatMap((page) =>
    [...textOfPage(page).matchAll(/\bMOORAGE_[A-Z_]*[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name.replace(/_FILE$/, '')) && !OTHERS.includes(name))
      .map((name) => `${page}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

type Field = {
  type?: string | string[]
  default?: unknown
  description?: string
  minimum?: number
  maximum?: number
  enum?: unknown[]
  anyOf?: { const?: unknown }[]
}
type Section = { name: string; schema: { properties: Record<string, Field> } }

const sections = areas.flatMap(({ settings = [] }) => settings as unknown as Section[])

function valuesOf({ type, minimum, maximum, enum: words, anyOf }: Field): string {
  const options = words ?? anyOf?.map((it) => it.const)
  if (options) return options.map((it) => `\`${it}\``).join(', ')
  const name = [type ?? ''].flat().filter((it) => it !== 'null')[0] ?? ''
  return minimum === undefined ? name : `${minimum} to ${maximum}`
}

test('every setting has a description', () => {
  const fields = sections.flatMap(({ name, schema }) =>
    Object.entries(schema.properties).map(([key, field]) => [`${name}.${key}`, field] as const),
  )
  assert.deepEqual(
    fields.filter(([, { description }]) => !description).map(([key]) => key),
    [],
  )
})

test('the page of the settings is made from the settings', () => {
  const parts = sections.map(({ name, schema }) => {
    const rows = Object.entries(schema.properties).map(([key, field]) => {
      const usual = field.default === null ? 'none' : `\`${JSON.stringify(field.default)}\``
      return `| \`${key}\` | ${usual} | ${valuesOf(field)} | ${(field.description ?? '').replaceAll('|', '\\|')} |`
    })
    return `## ${name}\n\n| setting | default | values | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  const head = `# Settings

The values that a shop decides for itself. \`GET /v1/admin/settings\` shows every setting, \`PATCH\` changes those that it names, and
\`null\` restores the default. Secret settings are encrypted and shown by their last four characters. The variables of the
whole installation are in [Configuration](configuration.md).

This page is made from the code: \`UPDATE=1 npm test test/documentation.test\`.

`
  compare('settings.md', head + parts.join('\n'))
})

test('settings that the documents name exist', () => {
  const known = new Set(
    sections.flatMap(({ name, schema }) =>
      Object.keys(schema.properties).map((key) => `${name}.${key}`),
    ),
  )
  const names = sections.map(({ name }) => name).join('|')
  const setting = new RegExp(`\`(?:${names})\\.([a-zA-Z]+)\``, 'g')
  // These name tables and events, which have such names as well.
  const pages = CURRENT.filter((page) => !/^(?:observability|performance|scale)\.md$/.test(page))
  const unknown = pages.flatMap((page) =>
    [...withoutFences(page).matchAll(setting)]
      .map(([name]) => name.replaceAll('`', ''))
      .filter((name) => !known.has(name))
      .map((name) => `${page}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

const permissions = areas.flatMap(({ permissions = [] }) => permissions)

test('the page of the permissions is made from the permissions', () => {
  const rows = permissions.map(({ key, description }) => `| \`${key}\` | ${description} |`)
  const head = `# Permissions

The permissions of staff. Roles and groups (\`/v1/admin/rbac/roles\`, \`/v1/admin/rbac/groups\`) grant permissions; \`users:*\` grants all that
begin with \`users:\`, and \`*\` grants all. The API reference names the permission of each operation.

This page is made from the code: \`UPDATE=1 npm test test/documentation.test\`.

| permission | allows |
| --- | --- |
`
  compare('permissions.md', `${head}${rows.join('\n')}\n`)
})

test('permissions that the documents name exist', () => {
  // The scopes of a bot's token look alike.
  const scopes = ['roles:read', 'notifications:read']
  const known = new Set([...permissions.map(({ key }) => key), ...scopes])
  const unknown = CURRENT.flatMap((page) =>
    [...withoutFences(page).matchAll(/`([a-z]+:(?:read|write|credit|impersonate|allowance))`/g)]
      .map(([, key = '']) => key)
      .filter((key) => !known.has(key))
      .map((key) => `${page}: ${key}`),
  )
  assert.deepEqual(unknown, [])
})

type Document = { paths: Record<string, object>; webhooks: Record<string, object> }
const document: Document = JSON.parse(read('docs/openapi.json'))

function eventTypes(): string[] {
  return Object.keys(document.webhooks)
}

test('the page of the webhooks has every type of event, and no other', () => {
  const table = /\| types[\s\S]*?\n\n/.exec(textOfPage('webhooks.md'))?.[0] ?? ''
  const named = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) => {
    const names = [...cell.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => name)
    const object = names[0]?.split('.')[0] ?? ''
    return names.map((name) => (name.startsWith('.') ? object + name : name))
  })
  assert.deepEqual([...new Set(named)].sort(), eventTypes().sort())
})

test('operations that the documents name exist', () => {
  const shape = (url: string) => url.replace(/\{[^}]+\}/g, '{}').replace(/\/$/, '')
  const known = new Map(
    Object.entries(document.paths).map(([url, item]) => [
      shape(url),
      Object.keys(item).map((it) => it.toUpperCase()),
    ]),
  )
  const unknown = CURRENT.filter((it) => !/^(?:hardening|performance)\.md$/.test(it)).flatMap(
    (page) =>
      [
        ...withoutFences(page).matchAll(
          /(?:\b(GET|POST|PUT|PATCH|DELETE)\s+)?(\/v1\/[\w{}/.-]*[\w}])/g,
        ),
      ]
        .filter(([, method, url = '']) => {
          const methods = known.get(shape(url))
          if (!method) {
            return !methods && ![...known.keys()].some((it) => it.startsWith(`${shape(url)}/`))
          }
          return !methods?.includes(method)
        })
        .map(([, method, url]) => `${page}: ${method ?? ''} ${url}`),
  )
  assert.deepEqual(unknown, [])
})

/** Texts of the sources that are pages of a front end, with `{}` for what is filled in. */
function linkedPages(): string[] {
  const folder = path.join(ROOT, 'src/areas')
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((it) => /(?:actions|jobs|notices|security|bounces|reconcile|vat-numbers)\.ts$/.test(it))
  const page =
    /['`](\/(?:admin|servers|invoices|account|payment|news|invite-friends)(?:\/[^'`]*)?)['`]/g
  return files
    .flatMap((it) => [...fs.readFileSync(path.join(folder, it), 'utf8').matchAll(page)])
    .map(([, link = '']) => link.replace(/\$\{[^}]+\}/g, '{}'))
    .filter((link) => !link.includes('…'))
}

test('the pages that notifications link to are in the page for front ends', () => {
  const paths = textOfPage('front-end.md').matchAll(/`(\/[^`]*)`/g)
  const documented = new Set([...paths].map(([, it = '']) => it.replace(/\{[^}]+\}/g, '{}')))
  const linked = new Set(linkedPages())
  assert.ok(linked.size > 10, [...linked].join(' '))
  assert.deepEqual(
    [...linked].filter((it) => !documented.has(it)),
    [],
  )
})

test('a block of the documentation says what it is written in', () => {
  for (const page of CURRENT) {
    for (const { language, line } of fencesOf(page)) assert.ok(language, `${page}:${line}`)
  }
})

test('every decision states its number and its status, is listed under its title, and what supersedes it exists', () => {
  const files = fs.readdirSync(path.join(ROOT, 'docs/decisions')).filter((it) => /^\d/.test(it))
  const list = read('docs/decisions/README.md')
  for (const file of files) {
    const [title = '', , status = ''] = read(`docs/decisions/${file}`).split('\n')
    const number = Number(file.slice(0, 4))
    assert.ok(title.startsWith(`# ${number}. `), `${file}: ${title}`)
    assert.match(status, /^\*\*Status:\*\* (in force since \w+ \d{4}|superseded by \[)/, file)
    assert.ok(list.includes(`- ${number}: [${title.replace(/^# \d+\. /, '')}](${file})`), title)
  }
})
