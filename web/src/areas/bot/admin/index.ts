export { BotsCard } from './bots.tsx'
export { MappingsCard } from './mappings.tsx'
