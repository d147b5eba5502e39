/** What the bot is told by its environment. */
export type Config = {
  discordToken: string
  /** Where Discord's API is; another one for a proxy of it. */
  discordUrl: string
  /** The shop: `https://shop.example.org`. */
  moorageUrl: string
  moorageToken: string
  /** How long it waits, when there was nothing, before it asks the shop again. */
  pollMs: number
  /** Whether it compares all members when it starts, and not only after it missed something. */
  fullSync: boolean
}

/** Reads the environment. Throws an error that names what is missing or wrong. */
export function configFrom(environment: NodeJS.ProcessEnv): Config {
  const wanted = (name: string): string => {
    const value = environment[name]
    if (!value) throw new Error(`${name} is not set`)
    return value
  }
  const discordUrl = environment.DISCORD_API_URL || 'https://discord.com/api'
  if (!URL.canParse(discordUrl)) throw new Error('DISCORD_API_URL is not an address')
  const pollSeconds = Number(environment.POLL_SECONDS ?? 5)
  if (!(pollSeconds >= 1 && pollSeconds <= 3600)) throw new Error('POLL_SECONDS is 1 to 3600')
  const moorageUrl = wanted('MOORAGE_URL').replace(/\/+$/, '')
  if (!URL.canParse(moorageUrl)) throw new Error('MOORAGE_URL is not an address')
  return {
    discordToken: wanted('DISCORD_TOKEN'),
    discordUrl: discordUrl.replace(/\/+$/, ''),
    moorageUrl,
    moorageToken: wanted('MOORAGE_TOKEN'),
    pollMs: pollSeconds * 1000,
    fullSync: environment.FULL_SYNC === 'true',
  }
}
