import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'

const app = await testApp(null)
const ROUNDS = 100
const LARGEST_DIFFERENCE = 0.05

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

/** The middle of the measurements: one pause of the machine must not decide. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Until what a request left to do later is done: it must not slow the next one down. */
function idle(): Promise<unknown> {
  return until('the jobs to be done', async () => {
    const { rows } = await app.deps.database.execute(
      `select 1 from jobs.job where name = 'users.send-link' and state in ('created', 'active')`,
    )
    return rows.length === 0
  })
}

/** The machine's other work moves single comparisons either way; the middle of several stays. */
const COMPARISONS = 5
const DAY_MS = 24 * 60 * 60 * 1000

async function assertAlike(known: () => Promise<unknown>, unknown: () => Promise<unknown>) {
  const ratios: number[] = []
  while (ratios.length < COMPARISONS) ratios.push(await ratioOf(known, unknown))
  assert.ok(Math.abs(median(ratios) - 1) < LARGEST_DIFFERENCE, `the ratios are ${ratios}`)
}

async function ratioOf(known: () => Promise<unknown>, unknown: () => Promise<unknown>) {
  const measured = [
    { work: known, times: [] as number[] },
    { work: unknown, times: [] as number[] },
  ] as const
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each goes first every other time.
    for (const { work, times } of round % 2 === 0 ? measured : measured.toReversed()) {
      times.push(await millisecondsOf(work))
      await idle()
      // So many guesses in a row would have to wait.
      app.deps.clock.advance(DAY_MS)
    }
  }
  return median(measured[0].times) / median(measured[1].times)
}

const account = { email: 'known@example.org', password: 'correct horse battery' }
await app.post('/v1/auth/register', { ...account, name: 'Known' })

async function refused(email: string, password: string): Promise<void> {
  assert.equal((await app.post('/v1/auth/login', { email, password })).status, 401)
}

test('enumeration by time: the time of a login does not tell whether there is an account (hardening 14)', async () => {
  const password = 'not the password'
  await assertAlike(
    () => refused(account.email, password),
    () => refused('nobody@example.org', password),
  )
})

test('enumeration by time: that of a forgotten password does not tell whether there is an account (hardening 14)', async () => {
  await assertAlike(
    () => app.post('/v1/auth/password/forgot', { email: account.email }),
    () => app.post('/v1/auth/password/forgot', { email: 'nobody@example.org' }),
  )
})
