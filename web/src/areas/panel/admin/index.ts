export {
  ConnectionForm,
  ConnectionTestCard,
  SyncEggs,
  useConnectionTest,
} from './connection.tsx'
export { type Egg, eggs, nodes, type PanelNode } from './reads.ts'
