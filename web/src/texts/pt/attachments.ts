export const attachments = {
  attach: 'Anexar ficheiros',
  hint: (count: number, size: string) =>
    `Até ${count} ficheiros de ${size} cada. Também pode largar ficheiros aqui ou colar uma captura de ecrã.`,
  list: 'Ficheiros desta mensagem',
  shown: 'Ficheiros anexados',
  sending: 'A carregar',
  stored: 'Carregado',
  tooLarge: (size: string) => `Maior do que ${size}`,
  retry: (name: string) => `Carregar ${name} novamente`,
  remove: (name: string) => `Remover ${name}`,
  tooMany: (count: number) => `Uma mensagem tem no máximo ${count} ficheiros.`,
  tooHeavy: (size: string) =>
    `Os ficheiros de uma mensagem podem ocupar no máximo ${size} no total.`,
  blocked: 'Não é possível descarregar: os ficheiros deste tipo podem executar programas.',
  willBlock:
    'O destinatário não pode descarregar ficheiros deste tipo. Coloque-o num arquivo comprimido.',
  open: 'Abrir',
  download: 'Descarregar',
  progress: (done: number, all: number) => `${done} de ${all} ficheiros carregados`,
}
