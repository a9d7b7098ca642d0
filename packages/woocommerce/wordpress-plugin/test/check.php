<?php
/** A runner of our own: tests are collected as the files are read, then run one after another in a shop of their own. */

final class Tests {
	/** @var array<int,array{title:string,work:callable}> */
	public static $all = array();
}

final class Difference extends Exception {}

function test( string $title, callable $work ): void {
	Tests::$all[] = compact( 'title', 'work' );
}

function same( $expected, $actual, string $about = '' ): void {
	if ( $expected !== $actual ) {
		throw new Difference( trim( "$about expected " . var_export( $expected, true ) . ', got ' . var_export( $actual, true ) ) );
	}
}

function holds( bool $fact, string $about ): void {
	same( true, $fact, $about );
}

/** Amounts are written with spaces that do not break; tests are read with plain ones. */
function plain( string $text ): string {
	return str_replace( array( "\u{a0}", "\u{202f}" ), ' ', $text );
}

function says( string $needle, string $text ): void {
	holds( false !== strpos( plain( $text ), $needle ), "\"$needle\" is in: $text;" );
}

function says_not( string $needle, string $text ): void {
	holds( false === strpos( $text, $needle ), "\"$needle\" is not in: $text;" );
}
