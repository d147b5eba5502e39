export { Notes } from './notes.tsx'
export { ObjectTimeline } from './timeline.tsx'
