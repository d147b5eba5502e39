// @ts-check
// JavaScript, so that `npm ci` on an older runtime gets as far as it does without a prepared database.
import fs from 'node:fs'
import path from 'node:path'

/**
 * Prepares the embedded database that a first start copies: migrated, and empty. It contains no secret, and
 * everybody may read it.
 */
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) console.log('Without Node 24 no database is prepared: a first start takes longer.')
else await prepare()

async function prepare() {
  const { PREPARED, preparedFolder } = await import('#platform/database/prepared.ts')
  const folder = preparedFolder()
  if (fs.existsSync(folder)) return
  const { openEmbedded } = await import('#platform/database/embedded.ts')
  const { NOBODY_LISTENS } = await import('#platform/database/index.ts')
  const { migrate } = await import('#platform/database/migrate.ts')
  fs.rmSync(PREPARED, { recursive: true, force: true })
  fs.mkdirSync(PREPARED)
  const draft = fs.mkdtempSync(path.join(PREPARED, '.draft-'))
  const made = path.join(draft, 'database')
  const database = await openEmbedded(made, NOBODY_LISTENS)
  await migrate(database)
  await database.close()
  for (const name of fs.readdirSync(made, { recursive: true, encoding: 'utf8' })) {
    const place = path.join(made, name)
    fs.chmodSync(place, fs.statSync(place).isDirectory() ? 0o755 : 0o644)
  }
  fs.chmodSync(made, 0o755)
  fs.renameSync(made, folder)
  fs.rmSync(draft, { recursive: true })
}
