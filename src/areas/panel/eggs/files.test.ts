import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readEggFile } from './files.ts'

const folders = [
  import.meta.resolve('#sandbox/panel/data/eggs/SOURCES.md'),
  import.meta.resolve('#sandbox/panel/data/pelican-eggs/SOURCES.md'),
]
const paths = new Map<string, URL>()
for (const folder of folders) {
  for (const name of await readdir(new URL('.', folder))) {
    if (/\.(json|yaml)$/.test(name)) paths.set(name, new URL(name, folder))
  }
}
const files = [...paths.keys()]

async function read(name: string) {
  const path = paths.get(name)
  assert.ok(path, `there is a file ${name}`)
  return readEggFile(await readFile(path, 'utf8'))
}

test('every real file of both panels is read', () => assert.equal(files.length, 22))

for (const name of files) {
  test(`${name} becomes an egg with images and clean variables`, async () => {
    const egg = await read(name)
    assert.ok(egg.name && egg.stop)
    assert.ok(egg.dockerImages.length > 0)
    assert.ok(egg.doneMarkers.length > 0)
    for (const { rules, env } of egg.variables) {
      assert.match(env, /^\w+$/)
      assert.ok(rules.every((rule) => !rule.includes('|')))
    }
    assert.match(egg.contentHash, /^[0-9a-f]{64}$/)
  })
}

test('the first format brings one image, or a list, each its own label', async () => {
  const single = await read('minecraft-vanilla.ptdl-v1-image.json')
  const image = 'quay.io/pterodactyl/core:java'
  assert.deepEqual(single.dockerImages, [{ label: image, image }])
  const several = await read('minecraft-forge.ptdl-v1-images.json')
  assert.ok(several.dockerImages.length > 1)
})

test('an egg without a startup command is taken, for some exist', async () => {
  assert.deepEqual((await read('terraria-tshock.ptdl-v1-image.json')).startupCommands, [])
  assert.equal((await read('rust.ptdl-v2.json')).startupCommands.length, 1)
})

test('flags written as 1 and 0 are booleans', async () => {
  const { variables } = await read('minecraft-vanilla.ptdl-v1-image.json')
  const [jar] = variables
  assert.deepEqual([jar?.env, jar?.viewable, jar?.editable], ['SERVER_JARFILE', true, true])
})

test('several texts that tell a server is up are all kept', async () => {
  const { doneMarkers } = await read('nodejs-generic.ptdl-v2.json')
  assert.deepEqual(doneMarkers, ['change this text 1', 'change this text 2'])
})

const minimal = {
  meta: { version: 'PTDL_v2', update_url: null },
  name: 'Small',
  docker_images: { Java: 'java:21' },
  startup: 'run',
  config: { startup: '{"done": "up"}', logs: null, stop: '^C' },
  variables: [
    { env_variable: 'A', default_value: 5, rules: 'required|integer', user_editable: true },
    { env_variable: 'A', default_value: '6', rules: 'integer' },
  ],
}

test('of two variables with one name the last one counts, and defaults are texts', () => {
  const { variables } = readEggFile(JSON.stringify(minimal))
  assert.deepEqual(
    variables.map((it) => [it.env, it.default]),
    [['A', '6']],
  )
})

test('the hash changes with a rule, and not with the order of the file', () => {
  const { contentHash } = readEggFile(JSON.stringify(minimal))
  const turned = Object.fromEntries(Object.entries(minimal).reverse())
  assert.equal(readEggFile(JSON.stringify(turned)).contentHash, contentHash)
  const stricter = { ...minimal, variables: [{ ...minimal.variables[1], rules: 'required' }] }
  assert.notEqual(readEggFile(JSON.stringify(stricter)).contentHash, contentHash)
})

for (const [name, version] of [
  ['discord-muse.plcn-v1.json', 'PLCN_v1'],
  ['terraria-tshock.plcn-v2.json', 'PLCN_v2'],
  ['valheim.plcn-v3.json', 'PLCN_v3'],
  ['minecraft-paper.plcn-v3.yaml', 'PLCN_v3 in YAML'],
] as const) {
  test(`${version} brings a uuid, commands with labels, and rules as lists`, async () => {
    const egg = await read(name)
    assert.match(egg.uuid ?? '', /^[0-9a-f-]{36}$/)
    assert.ok(egg.startupCommands.every(({ label, command }) => label && command))
    assert.ok(egg.startupCommands.length > 0)
    assert.ok(egg.variables.some(({ rules }) => rules.includes('required')))
    const sorts = egg.variables.map(({ sort }) => sort)
    assert.deepEqual(
      sorts,
      [...sorts].sort((a, b) => a - b),
    )
  })
}

test('the picture of a PLCN_v3 file is no docker image', async () => {
  const { dockerImages } = await read('velocity.plcn-v3.json')
  assert.ok(dockerImages.every(({ image }) => !image.startsWith('data:')))
})

test('an egg in YAML keeps the markers, flags and defaults it has as maps', async () => {
  const egg = await read('nodejs-generic.plcn-v3.yaml')
  assert.deepEqual(egg.doneMarkers, ['change this text 1', 'change this text 2'])
  const upload = egg.variables.find(({ env }) => env === 'USER_UPLOAD')
  assert.deepEqual([upload?.default, upload?.editable, upload?.sort], ['0', true, 7])
})

test('an egg in YAML may have twice as many variables as the largest public one', () => {
  const variables = Array.from({ length: 120 }, (_, index) =>
    [
      ...[`  - name: 'Variable ${index}'`, `    description: 'What it does: nothing, yet.'`],
      ...[`    env_variable: V${index}`, `    default_value: 'a, b, c'`, '    user_viewable: true'],
      ...['    user_editable: true', '    rules:', '      - required', '      - string'],
      ...['    field_type: text', `    sort: ${index}`],
    ].join('\n'),
  )
  const script = '    if [ "$A" == "a: b" ]; then echo {1,2}; fi\n'.repeat(100)
  const file = [
    yaml('startup_commands:\n  Default: start\ndocker_images:\n  Image: example/image'),
    `scripts:\n  installation:\n    script: |\n  ${script.replaceAll('\n', '\n  ').trimEnd()}`,
    `variables:\n${variables.join('\n')}`,
  ].join('\n')
  assert.equal(readEggFile(file).variables.length, 120)
})

const yaml = (body: string) => `meta:\n  version: PLCN_v3\nname: Small\n${body}`

const refusals: [string, string, string][] = [
  ['references that grow', yaml('a: &a [x, x]\nb: [*a, *a]'), 'egg_file_unreadable'],
  ['a tag of another language', yaml('a: !!js/function "x"'), 'egg_file_unreadable'],
  ['one key twice', yaml('name: Other'), 'egg_file_unreadable'],
  ['brackets in brackets', yaml(`a: ${'['.repeat(5000)}`), 'egg_file_unreadable'],
  ['questions in questions', `${'? '.repeat(5000)}x`, 'egg_file_unreadable'],
  ['lists in lists', '- '.repeat(5000), 'egg_file_unreadable'],
  [
    'thousands of keys',
    yaml(Array.from({ length: 2500 }, (_, index) => `k${index}: v`).join('\n')),
    'egg_file_unreadable',
  ],
  ['thousands of entries in brackets', yaml(`a: [${'x,\n'.repeat(2500)}]`), 'egg_file_unreadable'],
  [
    'lists far to the right',
    yaml(Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}-`).join('\n')),
    'egg_file_unreadable',
  ],
  ['a list as a key', yaml('? [a, b]\n: c'), 'egg_file_unreadable'],
  ['one key twice inside', yaml('config: { files: 1, "files": 2 }'), 'egg_file_unreadable'],
  ['lines without end', yaml('a: 1\n'.repeat(6000)), 'egg_file_unreadable'],
  ['several documents', `${yaml('')}\n---\na: 1`, 'egg_file_unreadable'],
  ['a uuid that is none', JSON.stringify({ ...minimal, uuid: '../x' }), 'egg_file_invalid'],
  [
    'more variables than any egg',
    JSON.stringify({
      ...minimal,
      variables: Array.from({ length: 300 }, (_, index) => ({ env_variable: `V${index}` })),
    }),
    'egg_file_invalid',
  ],
  ['no JSON', '<html>', 'egg_file_unreadable'],
  ['a list', '[]', 'egg_file_unreadable'],
  ['null', 'null', 'egg_file_unreadable'],
  ['no version', '{"meta":{}}', 'egg_file_unreadable'],
  ['an unknown version', '{"meta":{"version":"constructor"}}', 'egg_format_unsupported'],
  ['nothing inside', '{"meta":{"version":"PTDL_v2"},"variables":"x"}', 'egg_file_invalid'],
  [
    'an odd variable name',
    JSON.stringify({ ...minimal, variables: [{ env_variable: 'A B' }] }),
    'egg_file_invalid',
  ],
]

for (const [what, text, code] of refusals) {
  test(`a file with ${what} is refused as ${code}`, () => {
    assert.throws(() => readEggFile(text), { statusCode: 422, code })
  })
}
