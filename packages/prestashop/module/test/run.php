<?php
/** php run.php [words] [files]: runs all tests, or those with the words in the title or of the files, and prints one JSON object for each test. */

require __DIR__ . '/../../../php-bridge/test/php/test-runner.php';
require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';
require __DIR__ . '/http.php';
foreach ( glob( __DIR__ . '/' . ( $argv[2] ?? '*' ) . '-test.php' ) as $file ) {
	require $file;
}

run_tests( $argv[1] ?? '', 'open_shop', 'close_shop' );
