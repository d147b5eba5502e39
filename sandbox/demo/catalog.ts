/** What the demo's shop sells. Prices are net, in cents. */
export type Category = { slug: string; name: string; description: string }

export type Plan = {
  name: string
  interval: 'month'
  intervalCount: number
  priceCents: number
  setupFeeCents?: number
}

export type Product = {
  slug: string
  name: string
  description: string
  category: string
  /** The slug of the product that its servers can be moved up to. */
  upgradesTo?: string
  /** The name of the panel's egg it is made of. */
  egg: string
  memoryMb: number
  diskMb: number
  cpuPercent: number
  environment?: Record<string, string>
  /** How many there are; unlimited unless said. */
  stock?: number
  plans: readonly [Plan, ...Plan[]]
  /** Where the buyer may have it; without any, where the panel has room. */
  locations?: readonly Location[]
  options?: readonly Option[]
}

/** A place for servers, with what it costs beside a plan. */
type Location = {
  name: string
  city: string
  country: string
  /** The location of the panel. */
  remoteId: string
  priceCents: number
}

/** What a buyer chooses of a product, as the administration takes it. */
type Option = { key: string; [field: string]: unknown }

export const categories: readonly Category[] = [
  { slug: 'minecraft', name: 'Minecraft', description: 'Worlds for two friends or two hundred.' },
  { slug: 'rust', name: 'Rust', description: 'A procedural map, wiped when you say so.' },
  { slug: 'valheim', name: 'Valheim', description: 'Ten vikings, one world.' },
  { slug: 'ark', name: 'ARK', description: 'Dinosaurs need room: our largest machines.' },
  { slug: 'voice', name: 'Voice', description: 'Hear each other while you play.' },
]

/** How the prices of options and locations go with the monthly plans. */
export const EVERY_MONTH = { interval: 'month', currency: 'EUR' } as const

function monthly(priceCents: number): Plan {
  return { name: 'Monthly', interval: 'month', intervalCount: 1, priceCents }
}

/** The first is what the demo's customer buys, and can move up from. */
export const products: readonly [Product, ...Product[]] = [
  {
    slug: 'minecraft-paper',
    name: 'Minecraft Paper, 4 GB',
    description: 'The fast Minecraft server, ready for plugins.',
    category: 'minecraft',
    egg: 'Paper',
    upgradesTo: 'minecraft-paper-8gb',
    ...{ memoryMb: 4096, diskMb: 20_480, cpuPercent: 200 },
    plans: [
      monthly(899),
      { name: 'Quarterly', interval: 'month', intervalCount: 3, priceCents: 2499 },
    ],
  },
  {
    slug: 'minecraft-paper-8gb',
    name: 'Minecraft Paper, 8 GB',
    description: 'The same server for two hundred friends.',
    category: 'minecraft',
    egg: 'Paper',
    ...{ memoryMb: 8192, diskMb: 40_960, cpuPercent: 400 },
    plans: [
      monthly(1699),
      { name: 'Quarterly', interval: 'month', intervalCount: 3, priceCents: 4699 },
    ],
  },
  {
    slug: 'minecraft-forge',
    name: 'Minecraft Forge, 6 GB',
    description: 'Room for large packs of mods.',
    category: 'minecraft',
    egg: 'Forge Minecraft',
    ...{ memoryMb: 6144, diskMb: 30_720, cpuPercent: 300 },
    plans: [monthly(1299)],
  },
  {
    slug: 'minecraft-your-size',
    name: 'Minecraft, your size',
    description: 'Choose the memory, the place and the backups.',
    category: 'minecraft',
    egg: 'Paper',
    ...{ memoryMb: 2048, diskMb: 20_480, cpuPercent: 200 },
    plans: [monthly(599)],
    locations: [
      { name: 'Paris', city: 'Paris', country: 'FR', remoteId: '1', priceCents: 0 },
      { name: 'Frankfurt', city: 'Frankfurt', country: 'DE', remoteId: '2', priceCents: 150 },
    ],
    options: [
      {
        ...{ key: 'memory', kind: 'quantity', name: 'More memory', unit: 'GB', position: 0 },
        ...{ max: 14, step: 2, display: 'slider' },
        effect: { kind: 'resource', amounts: { memoryMb: 1024 } },
        prices: [{ tier: 0, ...EVERY_MONTH, priceCents: 150 }],
      },
      {
        ...{ key: 'backups', kind: 'toggle', name: 'Backups', position: 1 },
        values: [
          { key: 'off', label: '2 in all' },
          {
            ...{ key: 'on', label: '7 in all' },
            effect: { kind: 'resource', amounts: { backups: 5 } },
          },
        ],
        prices: [{ value: 'on', ...EVERY_MONTH, priceCents: 200 }],
      },
    ],
  },
  {
    slug: 'rust',
    name: 'Rust, 8 GB',
    description: 'A procedural map of your own.',
    category: 'rust',
    egg: 'Rust',
    ...{ memoryMb: 8192, diskMb: 40_960, cpuPercent: 300 },
    environment: { RCON_PASS: 'change-me' },
    plans: [{ ...monthly(1899), setupFeeCents: 500 }],
  },
  {
    slug: 'valheim',
    name: 'Valheim, 4 GB',
    description: 'Ten vikings, one world.',
    category: 'valheim',
    egg: 'Valheim',
    ...{ memoryMb: 4096, diskMb: 10_240, cpuPercent: 200 },
    plans: [monthly(1099)],
  },
  {
    slug: 'ark',
    name: 'ARK: Survival Evolved, 12 GB',
    description: 'On our fastest machines, of which there are few.',
    category: 'ark',
    egg: 'Ark: Survival Evolved',
    ...{ memoryMb: 12_288, diskMb: 61_440, cpuPercent: 400 },
    stock: 5,
    plans: [monthly(2499)],
  },
  {
    slug: 'teamspeak',
    name: 'TeamSpeak 3',
    description: 'Thirty-two seats.',
    category: 'voice',
    egg: 'Teamspeak3 Server',
    ...{ memoryMb: 512, diskMb: 2048, cpuPercent: 50 },
    plans: [monthly(299)],
  },
]
