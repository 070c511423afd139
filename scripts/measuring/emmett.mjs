// One window of appends with Emmett's PostgreSQL store: an event an append, a stream a hand.
//
//     node --input-type=module - URL FACTS.json WRITERS SECONDS RUN < emmett.mjs
//
// It is given what the other sides store, and prints {done, seconds, latencies} (seconds) as JSON.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

const [url, file, writers, seconds, run] = process.argv.slice(2);
const facts = JSON.parse(readFileSync(file, 'utf8'));
const store = getPostgreSQLEventStore(url);
const latencies = [];

async function write(name, until) {
  for (let at = 0; performance.now() < until(); at += 1) {
    const { topic, body } = facts[at % facts.length];
    const started = performance.now();
    await store.appendToStream(name, [{ type: topic, data: body }], {
      expectedStreamVersion: BigInt(at),
    });
    latencies.push((performance.now() - started) / 1000);
  }
}

// Its tables are made and its connections opened before the clock starts.
await Promise.all(
  Array.from({ length: Number(writers) }, (_, n) =>
    store.appendToStream(`warm-${run}-${n}`, [{ type: 'warm', data: {} }]),
  ),
);
const begun = performance.now();
const over = begun + Number(seconds) * 1000;
await Promise.all(
  Array.from({ length: Number(writers) }, (_, n) => write(`hand-${run}-${n}`, () => over)),
);
const took = (performance.now() - begun) / 1000;
await store.close();
console.log(JSON.stringify({ done: latencies.length, seconds: took, latencies }));
