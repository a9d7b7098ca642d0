<?php
/** A small test framework: each call of test() adds a test, which run.php runs in a shop of its own. */

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
