<?php
/** A small test framework: each call of test() adds a test, which run_tests() runs in a shop of its own. */

error_reporting( E_ALL );
ini_set( 'display_errors', 'stderr' );
set_error_handler(
	static function ( $level, $message, $file, $line ) {
		throw new ErrorException( $message, 0, $level, $file, $line );
	}
);

final class Tests {
	/** @var array<int,array{title:string,work:callable}> */
	public static $all = array();
}

final class Assertion_Failed extends Exception {}

function test( string $title, callable $work ): void {
	Tests::$all[] = compact( 'title', 'work' );
}

function assert_same( $expected, $actual, string $about = '' ): void {
	if ( $expected !== $actual ) {
		throw new Assertion_Failed( trim( "$about expected " . var_export( $expected, true ) . ', got ' . var_export( $actual, true ) ) );
	}
}

function assert_true( bool $fact, string $about ): void {
	assert_same( true, $fact, $about );
}

/** Replaces the non-breaking spaces of amounts. */
function plain( string $text ): string {
	return str_replace( array( "\u{a0}", "\u{202f}" ), ' ', $text );
}

function assert_contains( string $needle, string $text ): void {
	assert_true( false !== strpos( plain( $text ), $needle ), "\"$needle\" is in: $text;" );
}

function assert_not_contains( string $needle, string $text ): void {
	assert_true( false === strpos( $text, $needle ), "\"$needle\" is not in: $text;" );
}

/**
 * Prints one JSON object for each test.
 *
 * @param string $words Only the tests with these words in the title; all if empty.
 */
function run_tests( string $words, callable $open, ?callable $close = null ): void {
	foreach ( Tests::$all as $test ) {
		if ( '' !== $words && false === strpos( $test['title'], $words ) ) {
			continue;
		}
		$open();
		$problem = null;
		try {
			$test['work']();
		} catch ( Throwable $caught ) {
			$problem = $caught instanceof Assertion_Failed ? $caught->getMessage() : get_class( $caught ) . ': ' . $caught->getMessage();
			$problem .= ' (' . basename( $caught->getFile() ) . ':' . $caught->getLine() . ')';
		}
		if ( null !== $close ) {
			$close();
		}
		echo json_encode( array( 'title' => $test['title'], 'problem' => $problem ), JSON_INVALID_UTF8_SUBSTITUTE ), "\n";
	}
}
