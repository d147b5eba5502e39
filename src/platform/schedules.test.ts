import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { type Schedules, schedulesOn } from './schedules.ts'

const HOUR_MS = 3_600_000

const source = await testDatabase()
const database = await source.open(NOBODY_LISTENS)
/** As several processes see it: what is held may be another's. */
const shared = { ...database, embedded: false }
const errors: unknown[] = []
const started: Schedules[] = []
let runs: string[] = []

after(async () => {
  for (const it of started) await it.stop()
  await database.close()
  await source.drop()
  assert.deepEqual(errors, [])
})

beforeEach(async () => {
  for (const it of started.splice(0)) await it.stop()
  await database.execute('delete from platform.schedules')
  runs = []
})

type Work = (signal: AbortSignal) => Promise<void>

/** One process that does a work named `probe`. */
async function process(
  who: string,
  driving: boolean,
  work: Work = async () => {},
  everyMs = HOUR_MS,
): Promise<Schedules> {
  async function run(signal: AbortSignal): Promise<void> {
    runs.push(who)
    await work(signal)
  }
  const works = [{ name: 'probe', everyMs, timeoutMs: HOUR_MS, run }]
  const schedules = schedulesOn(shared, works, (error) => errors.push(error))
  await schedules.start(driving)
  started.push(schedules)
  return schedules
}

async function row(): Promise<Record<string, unknown>> {
  const { rows } = await database.execute(
    'select *, extract(epoch from due_at - failed_at)::int as wait from platform.schedules',
  )
  assert.ok(rows[0])
  return rows[0]
}

/** Something that a test lets happen. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, passed: promise }
}

test('what has never run is due at once, and then only after its time', async () => {
  await process('a', true)
  await until('it ran', () => runs.length === 1)
  await until('it was given back', async () => (await row()).holder === null)
  await process('b', true)
  assert.deepEqual(runs, ['a'])
  await database.execute('update platform.schedules set due_at = now()')
  await process('c', true)
  await until('another process found it due', () => runs.includes('c'))
})

test('what runs somewhere is run by nobody else at the same time, and once more afterwards (hardening 50)', async () => {
  const hold = gate()
  const first = await process('a', false, () => hold.passed)
  const second = await process('b', false)
  const { ended } = await first.runAll()
  await (await second.runAll()).ended
  assert.deepEqual(runs, ['a'])
  const again = await first.runAll()
  hold.open()
  await ended
  await again.ended
  await until('the other had its turn', () => runs.filter((it) => it === 'b').length === 1)
  assert.deepEqual(runs.sort(), ['a', 'a', 'b'])
})

test('the work of a process that died is taken up when its lease is over (hardening 50)', async () => {
  const dead = gate()
  await process('a', true, () => dead.passed)
  await until('it runs', () => runs.length === 1)
  await process('b', true)
  assert.deepEqual(runs, ['a'])
  await database.execute(`update platform.schedules set lease_until = now() - interval '1 second'`)
  await process('c', true)
  await until('another does it', () => runs.length === 2)
  dead.open()
  await until('it was given back', async () => (await row()).holder === null)
})

test('what fails is due again sooner, later with every failure, and forgotten once it succeeds', async () => {
  let fault: Error | null = new Error('No luck')
  const schedules = await process('a', false, async () => {
    if (fault) throw fault
  })
  const waits: number[] = []
  for (let failures = 1; failures <= 3; failures += 1) {
    await (await schedules.runAll()).ended
    const { failures: counted, error, wait } = await row()
    assert.deepEqual([counted, error], [failures, 'No luck'])
    waits.push(Number(wait))
  }
  assert.deepEqual(waits, [15, 30, 60])
  fault = null
  await (await schedules.runAll()).ended
  const { failures, error, failed_at } = await row()
  assert.deepEqual([failures, error, failed_at], [0, null, null])
})

test('a process that stops tells its work to end, and gives it back (hardening 51)', async () => {
  const schedules = await process('a', true, async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  await until('it runs', () => runs.length === 1)
  await schedules.stop()
  assert.equal((await row()).holder, null)
})

test('what a look that is under way takes when its process stops is given back', async () => {
  const answer = gate()
  const slow = {
    ...shared,
    async execute(text: string, values?: unknown[]) {
      const result = await database.execute(text, values)
      if (text.includes('claimed')) await answer.passed
      return result
    },
  }
  const run = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      runs.push('slow')
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve())
    })
  const works = [{ name: 'probe', everyMs: HOUR_MS, timeoutMs: HOUR_MS, run }]
  const schedules = schedulesOn(slow, works, (error) => errors.push(error))
  const starting = schedules.start(true)
  await until('it was taken', async () => {
    const { rows } = await database.execute(
      'select from platform.schedules where holder is not null',
    )
    return rows.length === 1
  })
  const stopping = schedules.stop()
  // All that stopping has to say to the database is said before the look has its answer.
  for (let count = 0; count < 10; count += 1) await database.execute('select 1')
  answer.open()
  await Promise.all([starting, stopping])
  assert.equal((await row()).holder, null)
})

test('a process that only answers has those that work run everything', async () => {
  await process('worker', true)
  await until('it ran', () => runs.length === 1)
  const api = schedulesOn(shared, [], (error) => errors.push(error))
  await api.runAll()
  await until('it ran again', () => runs.length === 2)
})
