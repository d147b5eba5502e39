import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locate } from './http/input.ts'
import { readEggFiles } from './state/egg-files.ts'
import { PAPER, rows, testPanel } from './testing.ts'

test('one call reads every nest with its eggs and their variables', async (t) => {
  const panel = await testPanel(t)
  const { body } = await panel.app('GET', '/nests?include=eggs.variables&per_page=100')
  const eggs = rows(body).flatMap((nest) => rows(locate(nest, 'relationships.eggs').value))
  const variables = eggs.flatMap((egg) => rows(locate(egg, 'relationships.variables').value))
  assert.equal(eggs.length, 13)
  assert.equal(variables.length, 93)
  assert.ok(
    variables.every(({ rules, user_viewable }) => {
      return typeof rules === 'string' && typeof user_viewable === 'boolean'
    }),
  )
})

test('an egg has maps for its configuration, and raw times in its variables', async (t) => {
  const panel = await testPanel(t)
  const { body } = await panel.app('GET', `/nests/1/eggs/${PAPER}?include=variables,config,nest`)
  assert.partialDeepStrictEqual(body, {
    object: 'egg',
    attributes: {
      id: PAPER,
      nest: 1,
      name: 'Paper',
      docker_image: 'ghcr.io/pterodactyl/yolks:java_21',
      docker_images: { 'Java 8': 'ghcr.io/pterodactyl/yolks:java_8' },
      config: {
        files: { 'server.properties': { parser: 'properties' } },
        startup: { done: ')! For help, type ' },
        stop: 'stop',
        logs: [],
        file_denylist: [],
        extends: null,
      },
      script: { privileged: true, entry: 'ash', extends: null },
      relationships: {
        config: { object: 'null_resource', attributes: null },
        nest: { object: 'nest' },
      },
    },
  })
  const [first] = rows(locate(body, 'attributes.relationships.variables').value)
  assert.equal(first?.env_variable, 'MINECRAFT_VERSION')
  assert.match(String(first?.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/)
})

test('the eggs of a nest are not paged; those of another are not found', async (t) => {
  const panel = await testPanel(t)
  const { body } = await panel.app('GET', '/nests/1/eggs')
  assert.deepEqual([rows(body).length, body.meta], [4, undefined])
  assert.equal((await panel.app('GET', `/nests/2/eggs/${PAPER}`)).status, 404)
})

test('every form of the image in an egg file becomes a map of labels to images', () => {
  const images = new Map(readEggFiles().map(({ fileName, egg }) => [fileName, egg.dockerImages]))
  assert.deepEqual(images.get('terraria-tshock.ptdl-v1-image.json'), {
    'quay.io/pterodactyl/core:mono': 'quay.io/pterodactyl/core:mono',
  })
  assert.ok(Object.keys(images.get('minecraft-forge.ptdl-v1-images.json') ?? {}).length > 1)
  assert.ok('Java 21' in (images.get('minecraft-paper.ptdl-v2.json') ?? {}))
})
