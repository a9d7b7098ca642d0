{* The shopper's payment: its notice is HTML whose parts are escaped. *}
{extends file='page.tpl'}
{block name='page_title'}{$tillkit_title|escape:'htmlall':'UTF-8'}{/block}
{block name='page_content'}
  {$tillkit_notice nofilter}
  {if $tillkit_cart}<p><a href="{$tillkit_cart|escape:'htmlall':'UTF-8'}">{$tillkit_back|escape:'htmlall':'UTF-8'}</a></p>{/if}
{/block}
