import pg from 'pg'
import { type TestApp, until } from './app.ts'
import type { Plan } from './plans.ts'

/**
 * From now on collects the plan of every statement of the service, with the rows and pages that it read. `settings` are
 * those of the server besides. Returns the plans so far; `end` goes back to connections without it.
 */
export async function explained(
  { deps, databaseUrl, get }: TestApp,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ plans: Plan[]; end: () => Promise<void> }> {
  const url = databaseUrl ?? ''
  const name = new URL(url).pathname.slice(1)
  const plans: Plan[] = []
  const { pool } = deps.database
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [key, value] of Object.entries({ ...EXPLAINING, ...settings })) {
    await client.query(`alter database ${name} set ${key} = '${value}'`)
  }
  await client.end()
  function listen(connected: pg.PoolClient): void {
    connected.on('notice', ({ message = '' }) => {
      const start = message.indexOf('plan:\n')
      if (start >= 0) plans.push(JSON.parse(message.slice(start + 6)) as Plan)
    })
  }
  pool.on('connect', listen)
  await replaced(() => plans.length > 0)
  return {
    plans,
    async end() {
      pool.off('connect', listen)
      const back = new pg.Client({ connectionString: url })
      await back.connect()
      await back.query(`alter database ${name} reset all`)
      await back.end()
      await replaced(() => true)
    },
  }

  /** Connections of before know nothing of the settings: each ends when it has been used once more. */
  async function replaced(is: () => boolean): Promise<void> {
    const { maxUses } = pool.options
    pool.options.maxUses = 1
    await until('no connection of before is left', async () => {
      await Promise.all(Array.from({ length: pool.totalCount }, () => get('/v1/meta')))
      return is() && pool.idleCount === 0
    })
    pool.options.maxUses = maxUses
  }
}

const EXPLAINING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_verbose': 'on',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
}
