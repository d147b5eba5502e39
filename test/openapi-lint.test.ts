import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { lint, loadConfig } from '@redocly/openapi-core'

const ROOT = path.join(import.meta.dirname, '..')

test('Redocly finds nothing wrong with the API document', async () => {
  const config = await loadConfig({ configPath: path.join(ROOT, 'redocly.yaml') })
  const problems = await lint({ ref: path.join(ROOT, 'docs/openapi.json'), config })
  assert.deepEqual(
    problems.map(({ ruleId, message, location: [where] }) => [ruleId, message, where?.pointer]),
    [],
  )
})
