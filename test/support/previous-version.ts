import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openServer } from '#platform/database/open.ts'
import { migrateQueue } from '#platform/queue.ts'
import { previousVersion } from './contractions.ts'

const root = path.join(import.meta.dirname, '../..')

/** What looks at the schema itself, and at nothing that is done with it; and what makes its own. */
const OF_THE_SCHEMA = ['test/tables.test.ts', 'test/migrations.test.ts', 'migrate.server.test.ts']

/**
 * Tests of the version before that fail by themselves, and why. A repaired version takes its entry along.
 */
const WRONG_BEFORE = new Map([
  [
    'R4.11: metered hours are invoiced when their month is over, and at most a month’s price',
    'Its hours reach the price of a month only in months of more than 29 days.',
  ],
])

function ran(result: SpawnSyncReturns<string>, what: string): string {
  if (result.status === 0) return result.stdout.trim()
  throw new Error(`${what}: ${result.error?.message ?? ''}${result.stdout}${result.stderr}`)
}

function git(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' })
}

/**
 * The commit of the version before: of `given`, else of the newest tag `v*`, else what
 * `ops/previous-version` says. Where the history does not have it, `missing` says so.
 */
export function commitBefore(given: string | undefined): { commit: string } | { missing: string } {
  if (git('rev-parse', '--git-dir').status !== 0) return { missing: 'This is no git repository' }
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD').stdout
  const [newest] = tags.split('\n').filter(Boolean)
  const ref = given ?? newest ?? previousVersion().commit
  const { status, stdout } = git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
  if (status === 0) return { commit: stdout.trim() }
  const shallow = git('rev-parse', '--is-shallow-repository').stdout.trim() === 'true'
  return { missing: `${ref} is not in this ${shallow ? 'shallow ' : ''}history` }
}

/** Puts the sources of a commit into a folder, with the packages they were written for. */
function checkOut(commit: string, folder: string): void {
  ran(git('worktree', 'add', '--detach', folder, commit), 'git worktree')
  const lock = (of: string) => fs.readFileSync(path.join(of, 'package-lock.json'), 'utf8')
  if (lock(folder) === lock(root)) {
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    return
  }
  const options = { cwd: folder, encoding: 'utf8' } as const
  ran(spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options), 'npm ci')
}

/** Has the old suite make the database it copies for each test file; answers its name. */
async function templateOf(folder: string, url: string): Promise<string> {
  const make = `const { testDatabase } = await import('#test/database.ts')
    await (await testDatabase()).drop()`
  const args = ['--input-type=module', '--eval', make]
  ran(spawnSync(process.execPath, args, inside(folder, url)), 'the database of the version before')
  const rows = await onServer(
    url,
    `select datname as name from pg_database where datname ~ 'template_'`,
  )
  const [template, ...more] = rows
  if (!template || more.length > 0) throw new Error(`${rows.length} databases to copy, not one`)
  return template.name
}

/** Puts in its place one that this version has migrated. */
async function replaceTemplate(url: string, name: string): Promise<void> {
  const own = new URL(url)
  own.pathname = '/of_this_version'
  await onServer(url, 'create database of_this_version')
  const database = openServer(own.href, NOBODY_LISTENS)
  await migrate(database)
  await migrateQueue(
    database,
    areas.flatMap(({ jobs = [] }) => jobs),
  )
  await database.close()
  await onServer(url, `drop database ${name}`)
  await onServer(url, `alter database of_this_version rename to ${name}`)
}

async function onServer(url: string, statement: string): Promise<{ name: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ name: string }>(statement)).rows
  } finally {
    await client.end()
  }
}

/** As at the gate: what fails once runs again alone. */
function inside(cwd: string, url: string) {
  return { cwd, encoding: 'utf8', env: { ...process.env, CI: 'true', DATABASE_URL: url } } as const
}

/** The test files of a version whose path has one of the words, but for those about the schema. */
function filesOf(folder: string, wanted: readonly string[]): string[] {
  return ['src', 'test']
    .flatMap((it) => fs.globSync(`${it}/**/*.test.ts`, { cwd: folder }))
    .filter((file) => !file.endsWith('.long.test.ts'))
    .filter((file) => wanted.some((part) => file.includes(part)))
    .filter((file) => !OF_THE_SCHEMA.some((it) => file.endsWith(it)))
}

/** Whether every test passed but those that are known to fail by themselves. */
function passedAsKnown(status: number | null, printed: string): boolean {
  if (status === 0) return true
  const failed = Number(/, (\d+) failed, /.exec(printed)?.[1] ?? Number.NaN)
  const [, list = ''] = printed.split('✖ failing tests:')
  const titles = [...list.matchAll(/^\S+\.test\.ts: (.+)$/gm)].map(([, title = '']) => title)
  return failed === titles.length && titles.every((title) => WRONG_BEFORE.has(title))
}

/**
 * Runs tests of another version, checked out into `folder`, on copies of a database that this version has
 * migrated. `url` is a server that nobody else uses. Answers what the run printed, and whether all of them
 * passed but those that are wrong by themselves.
 */
export async function runBefore(
  commit: string,
  { folder, url, parts }: { folder: string; url: string; parts: readonly string[] },
): Promise<{ passed: boolean; files: number; printed: string }> {
  try {
    checkOut(commit, folder)
    await replaceTemplate(url, await templateOf(folder, url))
    const files = filesOf(folder, parts)
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['test/run.ts', ...files],
      inside(folder, url),
    )
    const printed = stdout + stderr
    return { passed: passedAsKnown(status, printed), files: files.length, printed }
  } finally {
    git('worktree', 'remove', '--force', folder)
  }
}
