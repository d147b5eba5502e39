export {
  ConnectionForm,
  ConnectionTestCard,
  SyncEggs,
  useConnectionTest,
} from './connection.tsx'
export { type Egg, eggs, locations, type PanelNode } from './reads.ts'
