import { inspect } from 'node:util'

/**
 * What test files get for `node:test` when the suite runs them: the part of it that they use, with
 * the same meaning. The original follows every promise of a process to the test it belongs to, which
 * makes promises twelve times slower; one file alone runs with it (`node --test <file>`).
 */
export type Outcome = {
  name: string
  state: 'passed' | 'failed' | 'skipped'
  ms: number
  /** What went wrong, and what the test had to say. */
  error: string | null
  notes: string[]
}

type Hook = () => unknown
type Run = (t: Context) => unknown
type Options = { skip?: boolean | string; timeout?: number | undefined }
type Declared = { name: string; options: Options; run: Run }
type Hooks = Record<'before' | 'after' | 'beforeEach' | 'afterEach', Hook[]>

/** What a test is given. */
class Context {
  readonly name: string
  readonly mock = process.getBuiltinModule('node:test').mock
  readonly notes: string[] = []
  readonly ends: Hook[] = []
  skipped = false

  constructor(name: string) {
    this.name = name
  }

  after(hook: Hook): void {
    this.ends.push(hook)
  }

  diagnostic(note: string): void {
    this.notes.push(note)
  }

  skip(reason = ''): void {
    this.skipped = true
    this.notes.push(reason)
  }
}

let declared: Declared[] = []
let hooks: Hooks = noHooks()

export function test(name: string, ...rest: [Run] | [Options, Run]): void {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest
  declared.push({ name, options, run })
}

export const before = (hook: Hook): void => void hooks.before.push(hook)
export const after = (hook: Hook): void => void hooks.after.push(hook)
export const beforeEach = (hook: Hook): void => void hooks.beforeEach.push(hook)
export const afterEach = (hook: Hook): void => void hooks.afterEach.push(hook)

/**
 * Runs the tests that `load` declares, in order. What fails outside of them is an outcome too, and so
 * is a test or a hook that has not ended after `limitMs`: one that hangs is named, and stops nobody.
 */
export async function runFile(load: () => Promise<unknown>, limitMs?: number): Promise<Outcome[]> {
  declared = []
  hooks = noHooks()
  const outcomes: Outcome[] = []
  const ready = await outcomeOf('what the file needs', { timeout: limitMs }, async () => {
    await load()
    await inTurn(hooks.before)
  })
  if (ready.state === 'failed') outcomes.push(ready)
  else {
    for (const { name, options, run } of declared) {
      outcomes.push(await outcomeOf(name, { timeout: limitMs, ...options }, run, hooks))
    }
  }
  const ended = await outcomeOf('the end of the file', { timeout: limitMs }, () =>
    inTurn(hooks.after),
  )
  if (ended.state === 'failed') outcomes.push(ended)
  if (outcomes.length === 0) outcomes.push(failed('a file has a test', 'It has none.'))
  return outcomes
}

async function outcomeOf(
  name: string,
  { skip, timeout }: Options,
  run: Run,
  { beforeEach, afterEach } = noHooks(),
): Promise<Outcome> {
  const t = new Context(name)
  if (skip) t.skip(skip === true ? undefined : skip)
  const startMs = performance.now()
  const error = t.skipped
    ? null
    : await failureOf(async () => {
        await inTurn(beforeEach)
        await run(t)
      }, timeout)
  const atEnd = await failureOf(() => inTurn([...t.ends, ...(skip ? [] : afterEach)]), timeout)
  t.mock.reset()
  const worst = error ?? atEnd
  const state = worst ? 'failed' : t.skipped ? 'skipped' : 'passed'
  return { name, state, ms: performance.now() - startMs, error: worst, notes: t.notes }
}

function failed(name: string, error: string): Outcome {
  return { name, state: 'failed', ms: 0, error, notes: [] }
}

/** What `work` failed with; an error that nobody awaits while it runs counts as its own. */
async function failureOf(work: () => unknown, limitMs?: number): Promise<string | null> {
  const { promise: stray, reject } = Promise.withResolvers<never>()
  const timer =
    limitMs && setTimeout(() => reject(new Error(`Not done after ${limitMs / 1000} s`)), limitMs)
  process.on('uncaughtException', reject)
  process.on('unhandledRejection', reject)
  try {
    await Promise.race([work(), stray])
    return null
  } catch (error) {
    return inspect(error)
  } finally {
    clearTimeout(timer || undefined)
    process.off('uncaughtException', reject)
    process.off('unhandledRejection', reject)
  }
}

async function inTurn(list: readonly Hook[]): Promise<void> {
  for (const hook of list) await hook()
}

function noHooks(): Hooks {
  return { before: [], after: [], beforeEach: [], afterEach: [] }
}
