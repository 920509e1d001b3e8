import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Pages on an origin of their own, as a frontend's development server has one. */
export interface Pages {
  url: string;
  close(): void;
}

const REACT_PAGE = fileURLToPath(new URL('react-page.ts', import.meta.url));

/** Serves an empty page at `/`, and a React page at `/react`, which takes the address of the mock from its query. */
export async function servePages(): Promise<Pages> {
  const script = await bundled(REACT_PAGE);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://pages.test');
    if (pathname === '/react.js') response.setHeader('Content-Type', 'text/javascript').end(script);
    else response.setHeader('Content-Type', 'text/html').end(page(pathname === '/react'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => server.close().closeAllConnections(),
  };
}

function page(withReact: boolean): string {
  const script = withReact ? '<script type="module" src="/react.js"></script>' : '';
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title><div id="root"></div>${script}`;
}

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}
