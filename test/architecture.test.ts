import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { testApp } from '#test/app.ts'
import { faultsOfSource, type Source } from '#test/boundaries.ts'

const ROOT = path.join(import.meta.dirname, '..')
const order = areas.map((area) => area.name)

function sources(): Source[] {
  return fs
    .readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({
      file: path.join('src', file),
      text: fs.readFileSync(path.join(ROOT, 'src', file), 'utf8'),
    }))
}

test('imports go down the floors, calls go down the areas, and an area writes its own schema only', () => {
  const read = sources()
  assert.ok(read.length > 30, 'the sources were found')
  assert.deepEqual(
    read.flatMap((source) => faultsOfSource(source, order)),
    [],
  )
})

/** What opens connections by itself: the one client, and what goes where the operator's configuration says. */
const CALLERS = [
  ...['src/platform/outbound.ts', 'src/platform/outbound-exchange.ts'],
  'src/platform/outbound-mail.ts',
  ...['src/platform/files/bucket.ts', 'src/platform/tracing/otlp.ts'],
  // To api.stripe.com, which no request can change.
  'src/areas/billing/gateways/stripe/client.ts',
]
const OPENING =
  /\bfetch\(|^import (\* as \w+|\{[^}]*\b(request|get|connect|createConnection|Agent|Socket)\b[^}]*\}) from 'node:(https?|http2|net|tls|dgram)'/m

test('only the one client goes to addresses that people typed (hardening 28, 29)', () => {
  const found = sources().filter(({ text }) => OPENING.test(text))
  assert.deepEqual(found.map(({ file }) => file).sort(), CALLERS.sort())
})

test('what shows an address, or takes a file, calls nobody: logos and dumps are brought (hardening 29)', () => {
  const calling = sources().filter(({ text }) => /\boutbound\b/.test(text))
  const names = calling.flatMap(({ file }) => /^src\/areas\/(\w+)/.exec(file)?.[1] ?? [])
  const known = ['billing', 'notifications', 'panel', 'services', 'store', 'users', 'webhooks']
  assert.deepEqual([...new Set(names)].sort(), known)
  const silent = /^src\/areas\/(billing\/documents|users\/profile)\//
  assert.deepEqual(
    calling.filter(({ file }) => silent.test(file)),
    [],
  )
})

test('every folder of an area is an area of the list, and the other way round', () => {
  const folders = fs
    .readdirSync(path.join(ROOT, 'src/areas'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  assert.deepEqual(folders.sort(), [...order].sort())
})

test('foreign keys never point up', async (t) => {
  const app = await testApp(t)
  const { rows } = await app.deps.database.execute(`
    select source.nspname as "from", target.nspname as "to", k.conname as name
    from pg_constraint k
    join pg_class a on a.oid = k.conrelid join pg_namespace source on source.oid = a.relnamespace
    join pg_class b on b.oid = k.confrelid join pg_namespace target on target.oid = b.relnamespace
    where k.contype = 'f' and source.nspname <> 'jobs'`)
  const keys = rows as { from: string; to: string; name: string }[]
  const rank = (schema: string) => (schema === 'platform' ? -1 : order.indexOf(schema))
  for (const { from, to } of keys) assert.ok(rank(from) >= -1 && rank(to) >= -1, `${from} ${to}`)
  const upward = keys.filter(({ from, to }) => rank(to) > rank(from))
  assert.deepEqual(upward, [])
})

const faults = [
  ['an upward import', 'src/lib/x.ts', `import { a } from '#platform/page.ts'`],
  ['an import of the application', 'src/areas/store/x.ts', `import { areas } from '#app/areas.ts'`],
  ['an import of a later area', 'src/areas/users/x.ts', `import { b } from '#billing'`],
  ['an import past an index', 'src/areas/billing/x.ts', `import { b } from '../store/queries.ts'`],
  [
    'a path that leaves its floor',
    'src/platform/x.ts',
    `import { b } from '../areas/users/index.ts'`,
  ],
  ['a write to another schema', 'src/areas/billing/x.ts', `tx.insertInto('store.carts')`],
  ['a raw write to another schema', 'src/areas/billing/x.ts', 'sql`update store.carts set a = 1`'],
  ['a read of a later area', 'src/areas/store/x.ts', `db.selectFrom('billing.invoices')`],
  ['a raw read of a later area', 'src/areas/store/x.ts', 'sql`select 1 from billing.invoices`'],
] as const

for (const [what, file, text] of faults) {
  test(`${what} is found`, () => {
    const known = ['tenants', 'users', 'store', 'billing', 'system']
    assert.equal(faultsOfSource({ file, text }, known).length, 1)
  })
}

/** Where a name may be imported from; the application's own types come from the document. */
const IMPORTING = ['src', 'web/src', 'client', 'test', 'sandbox', 'bench', 'scripts', 'examples']
const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm

test('what is exported is used elsewhere: nothing is dead, and nothing is public that need not be', () => {
  const files = IMPORTING.flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|js)$/.test(file) && !file.includes('node_modules'))
      .map((file) => path.join(folder, file)),
  )
  const uses = new Map<string, number>()
  for (const file of files) {
    const words = new Set(fs.readFileSync(path.join(ROOT, file), 'utf8').match(/\w+/g))
    for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
  }
  const unused = sources().flatMap(({ file, text }) =>
    [...text.matchAll(EXPORTED)].flatMap(([, name = '']) =>
      uses.get(name) === 1 ? `${file}: ${name}` : [],
    ),
  )
  assert.deepEqual(unused, [])
})

const LONGEST_RUN = 12

test('no two areas share a run of more than twelve lines', () => {
  const places = new Map<string, string>()
  const shared: string[] = []
  for (const { file, text } of sources()) {
    const area = /^src\/areas\/(\w+)/.exec(file)?.[1]
    if (!area) continue
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /\w/.test(line) && !/^(import|export \{|\/\*|\*|\/\/)/.test(line))
    for (let at = 0; at + LONGEST_RUN < lines.length; at++) {
      const run = lines.slice(at, at + LONGEST_RUN + 1).join('\n')
      const other = places.get(run)
      if (other && !other.startsWith(`src/areas/${area}/`))
        shared.push(`${file} and ${other}: ${lines[at]}`)
      places.set(run, file)
    }
  }
  assert.deepEqual(shared, [])
})
