import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'

const ROOT = path.join(import.meta.dirname, '../..')
const FILE = path.join(ROOT, 'client/src/api.ts')

test('the types of the client are what the API document says', async () => {
  const document = JSON.parse(fs.readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'))
  const types = COMMENT_HEADER + astToString(await openapiTS(document))
  // `UPDATE=1 npm test client` writes the file after a change of the document.
  if (process.env.UPDATE) fs.writeFileSync(FILE, types)
  assert.ok(
    fs.readFileSync(FILE, 'utf8') === types,
    'The document changed: run UPDATE=1 npm test client',
  )
})
