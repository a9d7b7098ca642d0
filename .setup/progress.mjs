const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** One moving line with the elapsed seconds on a terminal, plain lines elsewhere. Always on standard error. */
export function showProgress(text) {
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(0);
  const { clear, stop } = process.stderr.isTTY ? spin(text, seconds) : plain(text);
  const end = (line) => {
    stop();
    clear();
    process.stderr.write(`${line}\n`);
  };
  return {
    done: (line) => end(`${line} in ${seconds()} s.`),
    failed: (line) => end(line),
  };
}

function spin(text, seconds) {
  let turn = 0;
  const draw = () => {
    turn += 1;
    process.stderr.write(`\r\x1b[2K${frames[turn % frames.length]} ${text} … ${seconds()} s`);
  };
  draw();
  const timer = setInterval(draw, 100);
  return { clear: () => process.stderr.write("\r\x1b[2K"), stop: () => clearInterval(timer) };
}

function plain(text) {
  process.stderr.write(`${text} …\n`);
  return { clear: () => {}, stop: () => {} };
}
