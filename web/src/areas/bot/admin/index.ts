export { BotsCard } from './bots.tsx'
