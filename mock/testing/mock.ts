import { Agent } from 'node:http';
import { type Call, createCall } from '../../server/testing/http-call.ts';
import { type MockOptions, startMock } from '../mock.ts';

/** A mock for tests, and a call whose every answer is judged by code that neither the mock nor the server uses. */
export interface TestMock {
  url: string;
  port: number;
  call: Call;
  close(): Promise<void>;
}

/** Starts a mock on a free port. */
export async function startTestMock(options: MockOptions = {}): Promise<TestMock> {
  const { url, close } = await startMock({ ...options, port: 0 });
  const agent = new Agent({ keepAlive: true });
  const port = Number(new URL(url).port);
  return {
    url,
    port,
    call: createCall(port, agent),
    close: async () => {
      agent.destroy();
      await close();
    },
  };
}
