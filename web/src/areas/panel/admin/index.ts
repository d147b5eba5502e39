export {
  ConnectionForm,
  ConnectionTestCard,
  SyncEggs,
  useConnectionTest,
} from './connection.tsx'
export { type Egg, eggs, type PanelNode } from './reads.ts'
