<?php
/** php run.php [words] [files]: runs all tests, or those with the words in the title or of the files, and prints one JSON object for each test. */

// Where PHP has curl, the stub of the network could not take its names: another process runs the tests without curl. A PHP that starts no
// processes reads this file from another program, and runs what needs no network.
if ( function_exists( 'curl_init' ) && __FILE__ === realpath( $_SERVER['argv'][0] ?? '' ) ) {
	$without_curl = array( PHP_BINARY, '-d', 'disable_functions=curl_init,curl_setopt_array,curl_exec,curl_getinfo' );
	passthru( implode( ' ', array_map( 'escapeshellarg', array_merge( $without_curl, $argv ) ) ), $status );
	exit( $status );
}

require __DIR__ . '/../../../php-bridge/test/php/test-runner.php';
require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';
require __DIR__ . '/http.php';
foreach ( glob( __DIR__ . '/' . ( $argv[2] ?? '*' ) . '-test.php' ) as $file ) {
	require $file;
}

run_tests( $argv[1] ?? '', 'open_shop', 'close_shop' );
