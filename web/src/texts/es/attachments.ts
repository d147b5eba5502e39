export const attachments = {
  attach: 'Adjuntar archivos',
  hint: (count: number, size: string) =>
    `Hasta ${count} archivos de ${size} cada uno. También puedes soltar archivos aquí o pegar una captura de pantalla.`,
  list: 'Archivos de este mensaje',
  shown: 'Archivos adjuntos',
  sending: 'Subiendo',
  stored: 'Subido',
  tooLarge: (size: string) => `Mayor que ${size}`,
  retry: (name: string) => `Subir ${name} de nuevo`,
  remove: (name: string) => `Quitar ${name}`,
  tooMany: (count: number) => `Un mensaje tiene como máximo ${count} archivos.`,
  tooHeavy: (size: string) =>
    `Los archivos de un mensaje pueden ocupar como máximo ${size} en total.`,
  blocked: 'No se puede descargar: los archivos de este tipo pueden ejecutar programas.',
  willBlock:
    'El destinatario no puede descargar archivos de este tipo. Guárdalo en un archivo comprimido.',
  open: 'Abrir',
  download: 'Descargar',
  progress: (done: number, all: number) => `${done} de ${all} archivos subidos`,
}
