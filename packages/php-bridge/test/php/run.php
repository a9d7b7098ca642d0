<?php
/** php run.php [words]: runs all tests, or those with the words in the title, and prints one JSON object for each test. */

// PrestaShop has this constant, and WordPress another: without one of them every file of the bridge ends.
const _PS_VERSION_ = '0';

require __DIR__ . '/test-runner.php';
require __DIR__ . '/../../php/bridge.php';
require __DIR__ . '/memory-shop.php';
require __DIR__ . '/bridge-test.php';

run_tests( $argv[1] ?? '', 'open_shop' );
