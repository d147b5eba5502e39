export { Presence, Writers } from './presence.tsx'
export { useWriting } from './writing.ts'
