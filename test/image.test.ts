import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '..')
const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8')

test('the image copies every file of the service that the application is built from', () => {
  const [, stage = ''] = read('Dockerfile').split(/^FROM .* AS sites$/m)
  const copied = [...stage.matchAll(/^COPY (src\/\S+) /gm)].map(([, name = '']) => name)
  const builtFrom = ['web/build.js', 'web/vite.config.ts']
    .flatMap((name) => [...read(name).matchAll(/\b(src\/(?:lib|platform)\/[\w./-]+)'/g)])
    .map(([, name = '']) => name)
  assert.ok(builtFrom.includes('src/lib/languages.ts'))
  const missing = builtFrom.filter(
    (name) => !copied.some((folder) => name === folder || name.startsWith(`${folder}/`)),
  )
  assert.deepEqual(missing, [])
})
