import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ROOT } from '#platform/root.ts'
import { readConfig } from './config.ts'
import { misspelt, VARIABLES, withFiles } from './variables.ts'

test('a misspelt variable is named with the one that was meant', () => {
  for (const [name, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['MOORAGE_SERCET_KEY', 'MOORAGE_SECRET_KEY'],
    ['MORAGE_DATA_DIR', 'MOORAGE_DATA_DIR'],
    ['MOORAGE_DATABASE_URL', 'DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
  ] as const) {
    assert.deepEqual(misspelt({ [name]: 'x' }), [
      `${name}: there is no such variable; ${meant} is probably meant`,
    ])
  }
})

test('variables of other programs, of Kubernetes and of Compose are left alone', () => {
  const others = {
    ...{ HOME: '/root', HOSTNAME: 'x', PORTS: '1', POSTGRES_URL: 'x', REDIS_PORT: 'tcp://x' },
    ...{ MOORAGE_SERVICE_HOST: '10.0.0.1', MOORAGE_PORT_3000_TCP_ADDR: '10.0.0.1' },
    ...{ MOORAGE_API_SERVICE_PORT: '80', MOORAGE_DOMAIN: 'shop.example.org', SMTP_HOST: 'x' },
    ...{ OTEL_SERVICE_NAME: 'x', AWS_REGION: 'x', DATABASE_URL: 'x', DATABASE_URLS: 'y' },
  }
  assert.deepEqual(misspelt(others), [])
})

test('every variable of ours is in the table of the documentation, and the other way round', () => {
  const text = fs.readFileSync(path.join(ROOT, 'docs/configuration.md'), 'utf8')
  const table = text.split('\n').filter((line) => line.startsWith('| `'))
  const named = table.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)])
  const own = named.map(([, name = '']) => name).filter((name) => !/^(OTEL|AWS)_|_FILE$/.test(name))
  assert.deepEqual([...new Set(own)].sort(), [...VARIABLES].sort())
})

test('a secret is read from the file that NAME_FILE names, without the newline at its end', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-variables-'))
  const file = path.join(folder, 'key')
  fs.writeFileSync(file, `${Buffer.alloc(32, 3).toString('base64')}\n`)
  const config = readConfig({ MOORAGE_DATA_DIR: folder, MOORAGE_SECRET_KEY_FILE: file })
  assert.deepEqual(config.secretKeys, [Buffer.alloc(32, 3)])
  const faults: string[] = []
  withFiles({ SMTP_URL: 'smtp://x', SMTP_URL_FILE: file }, faults)
  assert.deepEqual(faults, ['SMTP_URL and SMTP_URL_FILE are both set: remove one of them'])
  fs.rmSync(folder, { recursive: true })
})
