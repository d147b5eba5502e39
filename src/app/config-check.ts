import { defineCommand } from 'citty'
import { configured } from './configured.ts'
import { mending } from './failure.ts'

/** `moorage config check`: reads the configuration like a start, names every fault, and opens nothing. */
export const checkConfig = defineCommand({
  meta: { name: 'check', description: 'Check the configuration, and start nothing' },
  run: mending(() => {
    const { publicUrl, databaseUrl, dataDir } = configured({}, { makesKey: false })
    const database = databaseUrl ? new URL(databaseUrl).host : `embedded, in ${dataDir}`
    console.log(
      `The configuration is complete. Public address: ${publicUrl}; database: ${database}`,
    )
  }),
})
