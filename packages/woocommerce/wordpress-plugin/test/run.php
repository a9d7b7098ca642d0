<?php
/** php run.php [words]: runs all tests, or those with the words in the title, and prints one JSON object for each test. */

error_reporting( E_ALL );
ini_set( 'display_errors', 'stderr' );
set_error_handler(
	static function ( $level, $message, $file, $line ) {
		throw new ErrorException( $message, 0, $level, $file, $line );
	}
);

require __DIR__ . '/test-runner.php';
require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';
foreach ( glob( __DIR__ . '/*-test.php' ) as $file ) {
	require $file;
}

foreach ( Tests::$all as $test ) {
	if ( isset( $argv[1] ) && false === strpos( $test['title'], $argv[1] ) ) {
		continue;
	}
	open_shop();
	$problem = null;
	try {
		$test['work']();
	} catch ( Throwable $caught ) {
		$problem = $caught instanceof Assertion_Failed ? $caught->getMessage() : get_class( $caught ) . ': ' . $caught->getMessage();
		$problem .= ' (' . basename( $caught->getFile() ) . ':' . $caught->getLine() . ')';
	}
	close_shop();
	echo json_encode( array( 'title' => $test['title'], 'problem' => $problem ), JSON_INVALID_UTF8_SUBSTITUTE ), "\n";
}
