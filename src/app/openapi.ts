import { defineCommand } from 'citty'
import { describeService } from '#platform/describe.ts'
import { areas } from './areas.ts'
import { readConfig } from './config.ts'

/** `moorage openapi`: prints the API document. Needs no configuration and no database, and creates none. */
export const openapi = defineCommand({
  meta: { name: 'openapi', description: 'Print the API document (OpenAPI 3.1, JSON)' },
  async run() {
    const config = readConfig({
      DATABASE_URL: 'postgres://localhost',
      MOORAGE_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    })
    const document = JSON.stringify(await describeService(config, areas), null, 2)
    await new Promise<void>((resolve) => process.stdout.write(`${document}\n`, () => resolve()))
  },
})
