import type { Config } from '#platform/config.ts'
import { ConfigError, readConfig } from './config.ts'

/** The configuration from the environment; ends the process with every fault named when it is wrong. */
export function configured(overrides: Record<string, string> = {}): Config {
  try {
    return readConfig({ ...process.env, ...overrides })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
