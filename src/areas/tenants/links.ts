import type { Brand } from './schema.ts'

export type BrandLink = { readonly label: string; readonly url: string }

/** Networks by the hosts of their links. Names of products are the same in every language. */
const NETWORKS: readonly (readonly [host: string, name: string])[] = [
  ['discord.gg', 'Discord'],
  ['discord.com', 'Discord'],
  ['youtube.com', 'YouTube'],
  ['twitch.tv', 'Twitch'],
  ['x.com', 'X'],
  ['twitter.com', 'X'],
  ['bsky.app', 'Bluesky'],
  ['instagram.com', 'Instagram'],
  ['facebook.com', 'Facebook'],
  ['tiktok.com', 'TikTok'],
  ['reddit.com', 'Reddit'],
  ['github.com', 'GitHub'],
  ['steamcommunity.com', 'Steam'],
]

/** The links in the footer of a shop: its own, then its pages on networks, named after them or by their host. */
export function brandLinksOf({ footerLinks = [], socialLinks = [] }: Brand): BrandLink[] {
  return [...footerLinks, ...socialLinks.map((url) => ({ label: networkOf(url), url }))]
}

function networkOf(url: string): string {
  const host = new URL(url).hostname.replace(/^www\./, '')
  const known = NETWORKS.find(([it]) => host === it || host.endsWith(`.${it}`))
  return known?.[1] ?? host
}
