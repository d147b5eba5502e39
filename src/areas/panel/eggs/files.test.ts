import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readEggFile } from './files.ts'

const folder = new URL('.', import.meta.resolve('#sandbox/panel/data/eggs/SOURCES.md'))
const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))

async function read(name: string) {
  return readEggFile(await readFile(new URL(name, folder), 'utf8'))
}

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

const refusals: [string, string, string][] = [
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
