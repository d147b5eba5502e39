import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'

const app = await testApp(null)

async function report(body: string, type = 'application/csp-report'): Promise<number> {
  const headers = { 'content-type': type }
  const { status } = await fetch(`${app.url}/v1/policy-violations`, {
    method: 'POST',
    headers,
    body,
  })
  return status
}

async function counted(directive: string): Promise<number> {
  const { values } = await app.deps.metrics.policyViolations.get()
  return values.find(({ labels }) => labels.directive === directive)?.value ?? 0
}

test('pages name the address that browsers report to, and reports are counted by directive', async () => {
  const page = await fetch(app.url)
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /report-uri \/v1\/policy-violations/,
  )
  const refused = {
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/a',
  }
  assert.equal(await report(JSON.stringify({ 'csp-report': refused })), 204)
  assert.equal(await counted('script-src-elem'), 1)
  const madeUp = { 'effective-directive': `x-${'y'.repeat(50)}` }
  assert.equal(await report(JSON.stringify({ 'csp-report': madeUp })), 204)
  assert.equal(await counted('other'), 1)
})

test('what is no report counts nothing, and a long one is not read', async () => {
  for (const body of ['', 'null', '[]', '{"csp-report":1']) {
    assert.ok((await report(body)) < 500, body)
  }
  assert.equal(await report(`"${'x'.repeat(10_000)}"`), 413)
  const { values } = await app.deps.metrics.policyViolations.get()
  assert.equal(
    values.reduce((sum, { value }) => sum + value, 0),
    2,
  )
})
